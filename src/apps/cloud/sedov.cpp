#include "apps/cloud/sedov.hpp"

#include <cmath>

namespace weir::cloud {

void fill_sedov_blast(State& state, double gamma) {
    auto const& grid = state.where().grid();
    auto const h = grid.spacing;
    auto const from_middle = [&](std::size_t axis, double x) {
        return x - 0.5 * h * static_cast<double>(grid.cells[axis]);
    };
    auto const inside = [&](double x, double y, double z) {
        return std::hypot(from_middle(0, x), from_middle(1, y), from_middle(2, z)) < 3.5 * h;
    };
    std::uint64_t mine = 0;
    fill(state, [&](double x, double y, double z) -> std::array<double, 5> {
        mine += inside(x, y, z) ? 1 : 0;
        return {1, 0, 0, 0, 1e-5};
    });
    auto const cells = static_cast<double>(state.where().comm().sum(mine));
    auto const pressure = (gamma - 1) / (cells * h * h * h);
    fill(state, [&](double x, double y, double z) -> std::array<double, 5> {
        return {1, 0, 0, 0, inside(x, y, z) ? pressure : 1e-5};
    });
}

}  // namespace weir::cloud
