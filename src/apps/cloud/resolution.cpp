#include "apps/cloud/resolution.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace weir::cloud {
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
