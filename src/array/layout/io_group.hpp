#pragma once

#include <optional>
#include <vector>

#include "array/layout/arrays.hpp"
#include "array/layout/region.hpp"
#include "comm/communicator.hpp"

namespace weir::array {

/// An I/O group: ranks that exchange among themselves alone, and the region that they move.
struct IoGroup {
    Communicator comm;
    Region region;
    std::uint64_t groups = 1;  ///< that the plan has
};

/// A row of the process grid: the ranks that have the same coordinates along the slowest dimensions.
struct GridRow {
    std::uint64_t merged = 0;  ///< so many of the fastest dimensions are whole in a row
    std::uint64_t colour = 0;  ///< which one
    std::uint64_t rows = 1;
    std::uint64_t first = 0;        ///< its lowest rank, which holds some of each array where any rank of the row does
    std::uint64_t piece_bytes = 0;  ///< contiguous in the file, of the row's region
};

/// The shortest row of this rank whose contiguous pieces reach `target` bytes, in all arrays; nothing where the arrays
/// have no grid in common. Local; the same `merged` on all ranks.
std::optional<GridRow> row_of(Arrays const&, CommRank, std::uint64_t target);

/// What a row's ranks hold together; the same on all of them, also on those that hold nothing.
Region region_of(Arrays const&, std::uint64_t ranks, GridRow const&);

/// The ranks of a row. Collective; does not fail.
IoGroup group_of_row(Communicator const&, Arrays const&, GridRow const&, FirstFailure&);

/// What a group of ranks moves together, which have these shares: a box where that is one, and otherwise the space
/// between their first byte and their last. Pure.
Region group_region(Arrays const&, std::vector<Share> const& shares);

/// Groups of so many consecutive ranks. Its region is a box where what they hold together is one, and otherwise the
/// space between their first byte and their last. Collective; does not fail.
IoGroup group_of_node(Communicator const&, Arrays const&, Use, std::uint64_t group, FirstFailure&);

}  // namespace weir::array
