#include "apps/cloud/known_problems.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "apps/common/gas/ordered_sum.hpp"

namespace weir::cloud {
namespace {

constexpr int points = 8;  // along each axis of a cell

/// The fraction of a cell within the radius, by the distance of its centre.
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

void fill_sod_tube(State& state, std::size_t axis) {
    auto const& grid = state.where().grid();
    auto const length = static_cast<double>(grid.cells[axis]) * grid.spacing;
    fill(state, [&](double x, double y, double z) -> std::array<double, 5> {
        auto const at = std::array{x, y, z}[axis] / length;
        auto const dense = at < 0.25 || at > 0.75;
        return {dense ? 1 : 0.125, 0, 0, 0, dense ? 1 : 0.1};
    });
}

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

namespace {

/// The wave vector along each axis.
std::array<double, axes> wave_vector(JeansWave const& wave, Grid const& grid) {
    std::array<double, axes> k{};
    for (std::size_t a = 0; a < axes; ++a) {
        auto const length = static_cast<double>(grid.cells[a]) * grid.spacing;
        k[a] = 2 * std::numbers::pi * static_cast<double>(wave.modes[a]) / length;
    }
    return k;
}

}  // namespace

double JeansWave::wave_number(Grid const& grid) const {
    auto const k = wave_vector(*this, grid);
    return std::hypot(k[0], k[1], k[2]);
}

double JeansWave::gravity(Grid const& grid) const {
    return std::pow(lengths * wave_number(grid), 2) / (4 * std::numbers::pi);
}

double JeansWave::frequency_squared(Grid const& grid) const {
    return std::pow(wave_number(grid), 2) * (1 - lengths * lengths);
}

void fill_jeans_wave(State& state, JeansWave const& wave) {
    auto const& grid = state.where().grid();
    auto const k = wave_vector(wave, grid);
    auto const length = wave.wave_number(grid);
    auto const growth = std::sqrt(std::max(-wave.frequency_squared(grid), 0.0));
    fill(state, [&](double x, double y, double z) -> std::array<double, 5> {
        auto const phase = k[0] * x + k[1] * y + k[2] * z;
        auto const speed = wave.amplitude * growth / length * std::cos(phase);
        auto const bump = wave.amplitude * std::sin(phase);
        return {1 + bump, speed * k[0] / length, speed * k[1] / length, speed * k[2] / length,
                (1 + wave.gamma * bump) / wave.gamma};
    });
}

double amplitude_of(State const& state, JeansWave const& wave) {
    auto const k = wave_vector(wave, state.where().grid());
    State product(state.where());
    fill(product, [&](double x, double y, double z) -> std::array<double, 5> {
        return {std::sin(k[0] * x + k[1] * y + k[2] * z), 0, 0, 0, 0};
    });
    auto const values = product[Variable::density];
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] *= state[Variable::density][i];
    }
    auto const count = static_cast<double>(volume(state.where().grid().cells));
    return 2 * ordered_sum(state.where().comm(), values, count) / count;
}

}  // namespace weir::cloud
