#include "apps/cloud/totals.hpp"

#include "apps/cloud/ordered_sum.hpp"

namespace weir::cloud {

Totals totals_of(State const& state, double gamma) {
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
    Totals t;
    t.mass = total([&](std::size_t i) { return rho[i]; });
    t.momentum = {total([&](std::size_t i) { return rho[i] * u[i]; }),
                  total([&](std::size_t i) { return rho[i] * v[i]; }),
                  total([&](std::size_t i) { return rho[i] * w[i]; })};
    t.gas_energy = total(
        [&](std::size_t i) { return p[i] / (gamma - 1) + 0.5 * rho[i] * (u[i] * u[i] + v[i] * v[i] + w[i] * w[i]); });
    t.potential_energy = total([&](std::size_t i) { return 0.5 * rho[i] * phi[i]; });
    return t;
}

}  // namespace weir::cloud
