#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "bench/metadata/call_times.hpp"
#include "comm/communicator.hpp"
#include "core/json.hpp"
#include "storage/backend.hpp"

namespace weir {

/// One phase of one repetition, as one rank saw it.
struct MetadataPhase {
    Call phase{};
    std::string started_at;
    double start_s = 0;  ///< by rank 0's clock, as is the end
    double end_s = 0;
    std::uint64_t operations = 0;
    std::uint64_t bytes_written = 0;
    std::uint64_t bytes_read = 0;
    CallTimes times;
    /// Of files that all ranks open: what the slowest rank took, summed over the files.
    std::optional<double> slowest_s;
    /// Ranks that hold a descriptor of a common file when it is open.
    std::optional<std::uint64_t> opened_by_ranks;
    Hints hints;       ///< that the library says are in force
    Json hints_asked;  ///< what became of each; null where none were asked for
};

/// The key parts of its `sample` line, from all ranks. Collective.
Json to_json(MetadataPhase const&, Communicator const&);

}  // namespace weir
