#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "bench/metadata/call_times.hpp"
#include "comm/communicator.hpp"
#include "core/json.hpp"
#include "storage/backend.hpp"

namespace weir {

/// One phase of one repetition on one rank.
struct MetadataPhase {
    Call phase{};
    std::string started_at;
    double start_s = 0;  ///< on rank 0's clock, as is the end
    double end_s = 0;
    std::uint64_t operations = 0;
    std::uint64_t bytes_written = 0;
    std::uint64_t bytes_read = 0;
    CallTimes times;
    /// For common files: the slowest rank's time, summed over the files.
    std::optional<double> slowest_s;
    /// Ranks with a descriptor of a common file while it is open.
    std::optional<std::uint64_t> opened_by_ranks;
    Hints hints;       ///< that the library reports as in force
    Json hints_asked;  ///< the state of each; null if none were requested
};

/// The key parts of its `sample` line, from all ranks. Collective.
Json to_json(MetadataPhase const&, Communicator const&);

}  // namespace weir
