#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "apps/cloud/dump/method.hpp"
#include "apps/cloud/program/resolution.hpp"
#include "apps/cloud/simulation.hpp"
#include "apps/cloud/totals.hpp"
#include "bench/sample_line.hpp"
#include "core/json.hpp"
#include "storage/tally.hpp"

namespace weir::cloud {

/// Where a run broke Truelove's condition.
struct Unresolved {
    Peak peak;
    double time = 0;
    Index step = 0;
};

/// What one repetition was, of this rank or of all: of one that failed, what it had finished.
struct RunResult {
    Triple cells{};
    Triple ranks{};
    Method method = Method::two_phase;
    std::string backend = "twophase";  ///< another one than this makes of arrays what it can
    std::string started_at;
    std::string dumping_at;  ///< when the first dump began
    Index steps = 0;         ///< done
    Index dumps = 0;         ///< that are whole
    bool has_files = false;
    bool has_read = false;  ///< it began by reading a restart, and has taken it
    bool computes = false;
    Effort effort;
    double elapsed_s = 0;
    double read_s = 0;     ///< reading the restart
    double write_s = 0;    ///< in these dumps
    double compute_s = 0;  ///< in steps, and in the first potential
    Tally log;             ///< of the restart and these dumps
    std::optional<Totals> before, after;
    std::optional<Unresolved> unresolved;
};

/// "Communication" as the paper counts it for two-phase I/O: A arrays moved by P ranks, T = px py of which hold the
/// same planes, count P A (P + T - 2), and one for each rank that has read a header. The P - T calls beyond 2 (T - 1)
/// messages a rank and array cannot be told from the paper; nothing is sent for them here.
std::uint64_t communication_of_the_paper(Triple const& ranks, std::uint64_t arrays, std::uint64_t headers_read);

/// Times of the slowest rank, calls and raised cells of all. Collective.
RunResult of_all_ranks(RunResult mine, Communicator const&);

/// The samples of a repetition, as docs/reference/results.md has them: of the dumps, of the restart, of the whole run.
Sample write_sample(RunResult const&, std::uint64_t repetition);
Sample read_sample(RunResult const&, std::uint64_t repetition);
Sample run_sample(RunResult const&, std::uint64_t repetition);

}  // namespace weir::cloud
