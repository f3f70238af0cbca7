#pragma once

#include "cloud/numbers.hpp"

namespace weir::cloud {

/// Visits points spread evenly over all cells (`points` along each axis of a cell) of a one-rank state, with their
/// distance from the middle of the box and the cell.
template <class Visit>
void for_distances(State const& state, int points, Visit visit) {
    auto const& grid = state.where().grid();
    auto const at = [&](std::size_t axis, Index cell, int point) {
        auto const x = static_cast<double>(cell) + (point + 0.5) / points - 0.5 * static_cast<double>(grid.cells[axis]);
        return x * grid.spacing;
    };
    std::size_t cell = 0;
    each_cell(grid.cells, [&](Index i, Index j, Index k) {
        for (int p = 0; p < points * points * points; ++p) {
            auto const x = at(0, i, p % points);
            auto const y = at(1, j, p / points % points);
            auto const z = at(2, k, p / points / points);
            visit(std::sqrt(x * x + y * y + z * z), cell);
        }
        ++cell;
    });
}

}  // namespace weir::cloud
