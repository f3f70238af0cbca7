#include "apps/cloud/jeans.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "apps/cloud/ordered_sum.hpp"

namespace weir::cloud {
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
