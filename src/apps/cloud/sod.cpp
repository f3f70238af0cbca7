#include "apps/cloud/sod.hpp"

namespace weir::cloud {

void fill_sod_tube(State& state, std::size_t axis) {
    auto const& grid = state.where().grid();
    auto const length = static_cast<double>(grid.cells[axis]) * grid.spacing;
    fill(state, [&](double x, double y, double z) -> std::array<double, 5> {
        auto const at = std::array{x, y, z}[axis] / length;
        auto const dense = at < 0.25 || at > 0.75;
        return {dense ? 1 : 0.125, 0, 0, 0, dense ? 1 : 0.1};
    });
}

}  // namespace weir::cloud
