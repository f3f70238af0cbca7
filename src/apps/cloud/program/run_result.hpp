#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "apps/cloud/dump/io_log.hpp"
#include "apps/cloud/dump/method.hpp"
#include "apps/cloud/program/resolution.hpp"
#include "apps/cloud/simulation.hpp"
#include "apps/cloud/totals.hpp"
#include "core/json.hpp"

namespace weir::cloud {

/// Where a run broke Truelove's condition.
struct Unresolved {
    Peak peak;
    double time = 0;
    Index step = 0;
};

/// What one repetition was, of this rank or of all.
struct RunResult {
    Triple cells{};
    Triple ranks{};
    Method method = Method::two_phase;
    std::string started_at;
    std::string dumping_at;  ///< when the first dump began
    Index steps = 0;         ///< done
    Index dumps = 0;
    bool has_files = false;
    bool has_read = false;  ///< it began by reading a restart
    bool computes = false;
    Effort effort;
    double elapsed_s = 0;
    double read_s = 0;     ///< reading the restart
    double write_s = 0;    ///< in dumps
    double compute_s = 0;  ///< in steps, and in the first potential
    IoLog log;
    std::optional<Totals> before, after;
    std::optional<Unresolved> unresolved;
};

/// Times of the slowest rank, calls of all. Collective.
RunResult of_all_ranks(RunResult mine, Communicator const&);

/// The `sample` lines' keys from `phase` on, as docs/reference/protocol.md has them: of the dumps, of the restart, of
/// the whole run.
Json write_sample(RunResult const&);
Json read_sample(RunResult const&);
Json run_sample(RunResult const&);

/// What a person should know of a broken resolution: keys of a `warnings` entry.
Json warning_of(Unresolved const&);

}  // namespace weir::cloud
