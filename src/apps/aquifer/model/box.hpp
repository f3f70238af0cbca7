#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "apps/common/grid.hpp"

namespace weir::aquifer {

using Point = std::array<double, axes>;

/// The grid of cells: those along x, y and z, and their edges in metres. z points upwards, from 0.
struct Box {
    Triple cells{1, 1, 1};
    Point edges{1, 1, 1};

    [[nodiscard]] double cell_volume() const { return edges[0] * edges[1] * edges[2]; }             ///< m^3
    [[nodiscard]] double face_area(std::size_t axis) const { return cell_volume() / edges[axis]; }  ///< m^2
};

/// A cell by its natural index, x fastest, from 0, and the reverse. Pure.
inline Triple cell_of(Triple const& cells, std::uint64_t index) {
    auto const divided = [](auto at, auto nx, auto ny) {
        decltype(at) const row = at / nx;
        return Triple{static_cast<Index>(at - row * nx), static_cast<Index>(row % ny), static_cast<Index>(row / ny)};
    };
    auto const narrow = [](auto number) { return static_cast<std::uint32_t>(number); };
    if (narrow(index) == index && narrow(cells[0]) == cells[0] && narrow(cells[1]) == cells[1]) {
        return divided(narrow(index), narrow(cells[0]), narrow(cells[1]));  // several times as fast
    }
    return divided(static_cast<Index>(index), cells[0], cells[1]);
}

std::uint64_t index_of(Triple const& cells, Triple const& cell);

/// This rank's cells of a box, and those of other ranks that share a face with them (ghosts). Local and pure.
struct Block {
    Triple start{};          ///< first cell of this rank, counted in the whole box
    Triple cells{};          ///< of this rank
    Triple ghosted_start{};  ///< the same with ghosts
    Triple ghosted{};

    [[nodiscard]] std::size_t count() const { return static_cast<std::size_t>(volume(cells)); }
    [[nodiscard]] std::size_t count_ghosted() const { return static_cast<std::size_t>(volume(ghosted)); }

    /// Index of a cell, counted in the whole box, among the ghosted ones, x fastest.
    [[nodiscard]] std::size_t at(Triple const& cell) const {
        return static_cast<std::size_t>((cell[0] - ghosted_start[0]) +
                                        ghosted[0] *
                                            ((cell[1] - ghosted_start[1]) + ghosted[1] * (cell[2] - ghosted_start[2])));
    }

    /// One of this rank's by its index among these, counted in the whole box.
    [[nodiscard]] Triple cell(std::size_t own) const {
        auto const in = cell_of(cells, own);
        return {start[0] + in[0], start[1] + in[1], start[2] + in[2]};
    }

    /// Its index among this rank's, x fastest; without a value, it is another's or outside the box.
    [[nodiscard]] std::optional<std::size_t> own(Triple const& cell) const {
        Triple in{};
        for (std::size_t a = 0; a < axes; ++a) {
            in[a] = cell[a] - start[a];
            if (in[a] < 0 || in[a] >= cells[a]) {
                return {};
            }
        }
        return static_cast<std::size_t>(in[0] + cells[0] * (in[1] + cells[1] * in[2]));
    }

    /// Calls visit(own, here) for each of this rank's cells: its index among these, and among the ghosted ones.
    template <class Visit>
    void each_cell(Visit visit) const {
        std::size_t own = 0;
        for (Index k = start[2]; k < start[2] + cells[2]; ++k) {
            for (Index j = start[1]; j < start[1] + cells[1]; ++j) {
                auto here = at({start[0], j, k});
                for (Index i = 0; i < cells[0]; ++i) {
                    visit(own++, here++);
                }
            }
        }
    }
};

/// The ranks along each axis, as square as possible. Error (usage) if there are more along one than cells. Pure, as the
/// next.
Triple ranks_for(Triple const& cells, std::uint64_t size);

/// The cells of one rank and its ghosts. Rank r has the coordinates (r % px, r / px % py, r / px / py) among `ranks`;
/// the first ranks along an axis have one cell more if they are not equal. No side of the box has ghosts beyond it.
Block block_of(Box const&, Triple const& ranks, std::uint64_t rank);

}  // namespace weir::aquifer
