#include "apps/cloud/totals.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "apps/common/gas/ordered_sum.hpp"

namespace weir::cloud {

GasTotals totals_of(State const& state, double gamma) {
    auto const& grid = state.where().grid();
    auto const cell = grid.spacing * grid.spacing * grid.spacing;
    auto const count = static_cast<double>(volume(grid.cells));
    auto const n = static_cast<std::size_t>(state.cells());
    Doubles values(n);
    auto const total = [&](auto of) {
        for (std::size_t i = 0; i < n; ++i) {
            values[i] = of(i);
        }
        return cell * ordered_sum(state.where().comm(), values, count);
    };
    auto const rho = state[Variable::density];
    auto const u = state[Variable::velocity_x];
    auto const v = state[Variable::velocity_y];
    auto const w = state[Variable::velocity_z];
    auto const p = state[Variable::pressure];
    auto const phi = state[Variable::potential];
    GasTotals t;
    t.mass = total([&](std::size_t i) { return rho[i]; });
    t.momentum = {total([&](std::size_t i) { return rho[i] * u[i]; }),
                  total([&](std::size_t i) { return rho[i] * v[i]; }),
                  total([&](std::size_t i) { return rho[i] * w[i]; })};
    t.gas_energy = total(
        [&](std::size_t i) { return p[i] / (gamma - 1) + 0.5 * rho[i] * (u[i] * u[i] + v[i] * v[i] + w[i] * w[i]); });
    t.potential_energy = total([&](std::size_t i) { return 0.5 * rho[i] * phi[i]; });
    return t;
}

namespace {

Cell cell_at(State const& state, Index place) {
    auto const& n = state.where().cells();
    auto const& start = state.where().start();
    return {start[0] + place % n[0], start[1] + place / n[0] % n[1], start[2] + place / n[0] / n[1]};
}

/// Is `a` before `b` in a file? Makes the choice among equals independent of the ranks' order.
bool comes_first(Cell const& a, Cell const& b) {
    return std::lexicographical_compare(a.rbegin(), a.rend(), b.rbegin(), b.rend());
}

Peak peak_of_block(State const& state, double factor) {
    auto const rho = state[Variable::density];
    auto const p = state[Variable::pressure];
    Peak peak;
    Index place = 0;
    for (std::size_t i = 0; i < rho.size(); ++i) {
        auto const crowding = factor * rho[i] * rho[i] / p[i];
        peak.density = std::max(peak.density, rho[i]);
        if (crowding > peak.crowding) {
            peak.crowding = crowding;
            place = static_cast<Index>(i);
        }
    }
    peak.cell = cell_at(state, place);
    return peak;
}

}  // namespace

void Peak::add(Peak const& other) {
    density = std::max(density, other.density);
    auto const level = other.crowding == crowding && comes_first(other.cell, cell);
    if (other.crowding > crowding || level) {
        crowding = other.crowding;
        cell = other.cell;
    }
}

Peak peak_of(State const& state, double gravity, double gamma) {
    auto const dx = state.where().grid().spacing;
    return state.where().comm().add_up(peak_of_block(state, 16 * gravity * dx * dx / (std::numbers::pi * gamma)));
}

std::optional<Cell> impossible_cell(State const& state) {
    auto const rho = state[Variable::density];
    auto const p = state[Variable::pressure];
    for (std::size_t i = 0; i < rho.size(); ++i) {
        auto const all = rho[i] + p[i] + state[Variable::velocity_x][i] + state[Variable::velocity_y][i] +
                         state[Variable::velocity_z][i] + state[Variable::potential][i];
        if (!(rho[i] > 0 && p[i] > 0 && std::isfinite(all))) {
            return cell_at(state, static_cast<Index>(i));
        }
    }
    return {};
}

}  // namespace weir::cloud
