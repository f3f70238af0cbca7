#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "apps/common/run/strategy.hpp"
#include "core/json_fwd.hpp"
#include "storage/tally.hpp"

namespace weir {

/// What was asked for by all ranks together.
struct Amount {
    std::uint64_t bytes = 0;
    std::uint64_t operations = 0;
};

/// What one repetition of an application was, on this rank or on all: of one that failed, what it had finished.
struct RunFigures {
    std::uint64_t ranks = 1;
    std::string backend;              ///< none: it has no files
    std::optional<Method> library{};  ///< of the two-phase library, if that is the back-end
    bool collective = true;           ///< do ranks ask for arrays together?
    std::string started_at;
    std::string dumping_at;   ///< when the first dump began
    std::uint64_t steps = 0;  ///< made
    std::uint64_t dumps = 0;  ///< that are whole
    bool has_read = false;    ///< it began with a restart, and has taken it
    double elapsed_s = 0;
    double read_s = 0;         ///< reading the restart
    double write_s = 0;        ///< in dumps
    double compute_s = 0;      ///< in steps, and before the first
    Amount to_read, to_write;  ///< by the restart, and by these dumps
    Tally read, written;       ///< calls of theirs
};

/// Times of the slowest rank, calls of all. Collective.
RunFigures of_all_ranks(RunFigures mine, Communicator const&);

/// The account of its files, as tables 1 to 8 of Thakur, Gropp, Lusk (1996) keep it: calls by kind, how long they took,
/// requests by their size; null where it has none, and where the back-end makes no calls. A seek is counted where the
/// paper's routine makes one; none is made here. What another back-end than the two-phase library does of seeks and
/// messages is not seen. Local.
Json account_of_files(RunFigures const&);

}  // namespace weir
