#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "array/description.hpp"
#include "array/region.hpp"
#include "comm/communicator.hpp"

namespace weir::array {

/// Ranks that exchange among themselves alone, and the region that they move together.
struct Team {
    Communicator comm;
    Region region;
    std::uint64_t teams = 1;  ///< of the plan
};

/// A plan's arrays: how they are distributed, and where each begins in the plan's space.
struct Arrays {
    std::vector<Description> descriptions;
    std::vector<std::uint64_t> origins;  ///< and the sum of all at the end

    /// Throws Failure where files could not hold them all.
    explicit Arrays(std::vector<Description> all);
    [[nodiscard]] std::uint64_t bytes() const { return origins.back(); }
    [[nodiscard]] Share share(Place, Use) const;

    /// Gives back the memory of lists of pieces, when share() will not be asked again.
    void forget_pieces();

    /// The same arrays, with those lists as this rank's share of them has kept them.
    [[nodiscard]] std::vector<Description> with_pieces_of(Share const&) const;

    /// Bytes of memory that boxes take.
    [[nodiscard]] std::uint64_t memory_of_boxes() const;

    /// Pieces of single arrays in `bytes` bytes of the space: visit(array, its first byte, bytes before, bytes).
    template <class Visit>
    void each_array(std::uint64_t position, std::uint64_t bytes, Visit visit) const {
        for (std::size_t i = 0; i < descriptions.size(); ++i) {
            auto const from = std::max(position, origins[i]);
            auto const to = std::min(position + bytes, origins[i + 1]);
            if (from < to) {
                visit(i, from - origins[i], from - position, to - from);
            }
        }
    }
};

/// A row of the process grid: the ranks that have the same coordinates along the slowest dimensions.
struct Row {
    std::uint64_t merged = 0;  ///< so many of the fastest dimensions are whole in a row
    std::uint64_t colour = 0;  ///< which one
    std::uint64_t rows = 1;
    std::uint64_t first = 0;        ///< its lowest rank, which holds some of each array where any rank of the row does
    std::uint64_t piece_bytes = 0;  ///< contiguous in the file, of the row's region
};

/// The shortest row of this rank whose contiguous pieces reach `target` bytes, in all arrays; nothing where the arrays
/// have no grid in common. Local; the same `merged` on all ranks.
std::optional<Row> row_of(Arrays const&, Place, std::uint64_t target);

/// What a row's ranks hold together; the same on all of them, also on those that hold nothing.
Region region_of(Arrays const&, std::uint64_t ranks, Row const&);

/// All ranks, and all of the space. Local.
Team whole_team(Communicator const&, Arrays const&);

/// The ranks of a row. Collective; does not fail.
Team row_team(Communicator const&, Arrays const&, Row const&, FirstFailure&);

/// What a group of ranks moves together, which have these shares: a box where that is one, and otherwise the space
/// between their first byte and their last. Pure.
Region group_region(Arrays const&, std::vector<Share> const& shares);

/// Groups of so many consecutive ranks. Its region is a box where what they hold together is one, and otherwise the
/// space between their first byte and their last. Collective; does not fail.
Team group_team(Communicator const&, Arrays const&, Use, std::uint64_t group, FirstFailure&);

}  // namespace weir::array
