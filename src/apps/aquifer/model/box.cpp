#include "apps/aquifer/model/box.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/array_section.hpp"
#include "core/error.hpp"

namespace weir::aquifer {

std::uint64_t index_of(Triple const& cells, Triple const& cell) {
    return static_cast<std::uint64_t>(cell[0] + cells[0] * (cell[1] + cells[1] * cell[2]));
}

Triple ranks_for(Triple const& cells, std::uint64_t size) {
    auto const n = [&](std::size_t a) { return static_cast<std::uint64_t>(cells[a]); };
    auto const found = square_grid({n(0), n(1), n(2)}, size);
    Triple ranks{};
    for (std::size_t a = 0; a < axes; ++a) {
        ranks[a] = static_cast<Index>(found[a]);
        validate(ranks[a] <= cells[a], fmt::format("{} ranks cannot share {} cells", size, to_text(cells)),
                 fmt::format("{} of them are along an axis of {} cells", ranks[a], cells[a]),
                 "Take fewer ranks, or more cells.");
    }
    return ranks;
}

Block block_of(Box const& box, Triple const& ranks, std::uint64_t rank) {
    Block block;
    auto left = static_cast<Index>(rank);
    for (std::size_t a = 0; a < axes; ++a) {
        auto const held = held_along(static_cast<std::uint64_t>(box.cells[a]), 0, static_cast<std::uint64_t>(ranks[a]),
                                     static_cast<std::uint64_t>(left % ranks[a]));
        left /= ranks[a];
        block.start[a] = static_cast<Index>(held.first);
        block.cells[a] = static_cast<Index>(held.owned);
        block.ghosted_start[a] = std::max<Index>(0, block.start[a] - 1);
        auto const end = std::min(box.cells[a], block.start[a] + block.cells[a] + 1);
        block.ghosted[a] = end - block.ghosted_start[a];
    }
    return block;
}

}  // namespace weir::aquifer
