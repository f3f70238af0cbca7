#include "apps/cloud/sphere.hpp"

namespace weir::cloud {
namespace {

constexpr int points = 8;  // along each axis of a cell

/// Which part of a cell, its centre so far from the sphere's, is within the radius.
double share_inside(std::array<double, axes> const& centre, double h, double radius) {
    auto const point = [&](std::size_t axis, int i) { return centre[axis] + h * ((i + 0.5) / points - 0.5); };
    int inside = 0;
    for (int k = 0; k < points; ++k) {
        for (int j = 0; j < points; ++j) {
            for (int i = 0; i < points; ++i) {
                auto const x = point(0, i);
                auto const y = point(1, j);
                auto const z = point(2, k);
                inside += x * x + y * y + z * z < radius * radius ? 1 : 0;
            }
        }
    }
    return inside / static_cast<double>(points * points * points);
}

}  // namespace

void fill_cold_sphere(State& state) {
    auto const& grid = state.where().grid();
    auto const h = grid.spacing;
    auto const middle = [&](std::size_t axis) { return 0.5 * h * static_cast<double>(grid.cells[axis]); };
    auto const radius = 0.5 * middle(0);
    fill(state, [&](double x, double y, double z) -> std::array<double, 5> {
        auto const share = share_inside({x - middle(0), y - middle(1), z - middle(2)}, h, radius);
        return {0.01 + 0.99 * share, 0, 0, 0, 1e-3};
    });
}

}  // namespace weir::cloud
