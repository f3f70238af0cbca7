#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "apps/common/run/strategy.hpp"
#include "bench/metric.hpp"
#include "core/json_fwd.hpp"
#include "storage/hints.hpp"
#include "storage/tally.hpp"

namespace weir {

/// Requests of all ranks together.
struct Amount {
    std::uint64_t bytes = 0;
    std::uint64_t operations = 0;
};

/// Steps of the dumps, or of the restart, that have a name of their own.
struct PartFigures {
    std::string name;
    double elapsed_s = 0;  ///< from the first rank's start to the last one's end, over all dumps
    Amount asked{};
    Tally made{};                               ///< calls
    DumpCosts costs{};                          ///< of the files
    std::optional<std::uint64_t> file_bytes{};  ///< of the last dump's; on rank 0; none: it has left none
};

/// The measurements of one repetition, on this rank or over all; of a failed one, those of its finished parts.
struct RunFigures {
    std::uint64_t ranks = 1;
    std::string backend;                  ///< none: it has no files
    std::optional<DumpMethod> library{};  ///< of the two-phase library, if it is the back-end
    bool collective = true;               ///< are array accesses collective?
    std::optional<Grouping> grouping{};   ///< the ranks that make requests for others
    bool format = false;                  ///< are files written through a format library?
    std::string started_at;
    std::string dumping_at;   ///< when the first dump began
    std::uint64_t steps = 0;  ///< completed
    std::uint64_t dumps = 0;  ///< that are complete
    bool has_read = false;    ///< it has read the restart that it began with
    double elapsed_s = 0;
    double read_s = 0;                 ///< reading the restart
    double write_s = 0;                ///< in dumps
    double compute_s = 0;              ///< in steps, and before the first
    Amount to_read, to_write;          ///< requested by the restart, and by these dumps
    Tally read, written;               ///< calls for them
    std::vector<PartFigures> parts{};  ///< of the dumps
    std::vector<PartFigures> read_parts{};
    HintsInForce hints{};  ///< of the last file
    DumpCosts costs{};     ///< of dumps without parts
};

/// The time of computing, and the rate at which it updated so many cells. Local.
std::vector<Metric> cell_updates(double updates, RunFigures const&);

/// Times of the slowest rank, calls and costs of all. Collective.
RunFigures of_all_ranks(RunFigures mine, Communicator const&);

/// The account of its files, as in tables 1 to 8 of Thakur, Gropp, Lusk (1996): calls by kind, their time, requests by
/// size; null without files, and if the back-end counts no calls. A seek is counted where the paper's routine makes
/// one; none is made here. Seeks and messages of back-ends other than the two-phase library are not counted. Local.
Json account_of_files(RunFigures const&);

}  // namespace weir
