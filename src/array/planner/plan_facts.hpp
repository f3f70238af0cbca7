#pragma once

#include <cstdint>

#include "array/layout/description.hpp"
#include "array/planner/machine_profile.hpp"

namespace weir::array {

/// The load of one direction, write or read.
struct Load {
    std::uint64_t bytes = 0;      ///< of all ranks
    std::uint64_t runs = 0;       ///< contiguous pieces in the file, summed over all ranks
    std::uint64_t most_runs = 0;  ///< most of any rank

    [[nodiscard]] std::uint64_t run_bytes() const { return bytes / std::max<std::uint64_t>(1, runs); }
};

/// The planner's input. The same on all ranks.
struct PlanFacts {
    std::uint64_t ranks = 1;
    std::uint64_t nodes = 1;
    std::uint64_t cores = 1;            ///< of a node, available to its ranks
    std::uint64_t cache_bytes = 0;      ///< of a core's second-level cache; 0: unknown
    std::uint64_t memory_bytes = 0;     ///< free on a node; 0: unknown
    std::uint64_t bytes = 0;            ///< of all arrays
    Load write, read;                   ///< reads exceed writes if ranks read the same bytes
    bool fills_holes = false;           ///< are there arrays whose holes are filled?
    bool two_shares = false;            ///< do ranks read different bytes than they write?
    std::uint64_t piece_bytes = 0;      ///< that of the process-grid row that reaches the target; 0: no grid
    std::uint64_t rows = 1;             ///< of the process grid
    std::uint64_t group_run_bytes = 0;  ///< mean contiguous piece held jointly by a node's ranks; 0: unknown
    FileSystem file_system{};
    MachineProfile profile = usual_profile({}, 1);

    [[nodiscard]] Load const& load(Use use) const { return use == Use::write ? write : read; }
};

}  // namespace weir::array
