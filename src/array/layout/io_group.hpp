#pragma once

#include <optional>
#include <vector>

#include "array/layout/arrays.hpp"
#include "array/layout/region.hpp"
#include "comm/communicator.hpp"

namespace weir::array {

/// An I/O group: ranks that exchange only among themselves, and the region that they move.
struct IoGroup {
    Communicator comm;
    Region region;
    std::uint64_t groups = 1;  ///< number of groups in the plan
};

/// A row of the process grid: the ranks with the same coordinates along the slowest dimensions.
struct GridRow {
    std::uint64_t merged = 0;  ///< number of the fastest dimensions that are complete within a row
    std::uint64_t colour = 0;  ///< the row's number
    std::uint64_t rows = 1;
    std::uint64_t first = 0;        ///< its lowest rank, which holds a part of each array if any rank of the row does
    std::uint64_t piece_bytes = 0;  ///< contiguous pieces of the row's region in the file
};

/// The shortest row of this rank whose contiguous pieces reach `target` bytes in all arrays; nothing if the arrays have
/// no common grid. Local; the same `merged` on all ranks.
std::optional<GridRow> row_of(Arrays const&, CommRank, std::uint64_t target);

/// The region of a row's ranks; the same on all of them, also on those that hold nothing.
Region region_of(Arrays const&, std::uint64_t ranks, GridRow const&);

/// The ranks of a row. Collective; does not fail.
IoGroup group_of_row(Communicator const&, Arrays const&, GridRow const&, FirstFailure&);

/// The region of a group of ranks with these shares: a box if they form one, otherwise the range from their first byte
/// to their last. Pure.
Region group_region(Arrays const&, std::vector<Share> const& shares);

/// Groups of `group` consecutive ranks. The region is a box if their shares form one, otherwise the range from their
/// first byte to their last. Collective; does not fail.
IoGroup group_of_node(Communicator const&, Arrays const&, Use, std::uint64_t group, FirstFailure&);

}  // namespace weir::array
