#pragma once

#include <cmath>

#include "apps/cloud/state.hpp"

namespace weir::cloud {

/// A state whose numbers are all different, and no number of single precision; the same whatever the ranks.
inline State made_state(Decomposition const& where, Index step) {
    State state(where);
    state.step = step;
    state.time = 0.1 * static_cast<double>(step);
    auto const turn = static_cast<double>(step);
    fill(state, [&](double x, double y, double z) -> std::array<double, 5> {
        return {1.5 + std::sin(3 * x + turn) * std::cos(5 * y) * std::sin(2 * z + 1), std::sin(x + 2 * y + 4 * z),
                std::cos(7 * x - y + turn), std::sin(z * 9) - x, 2.5 + std::cos(x * 4 + y + z)};
    });
    auto const rho = state[Variable::density];
    auto const phi = state[Variable::potential];
    for (std::size_t i = 0; i < rho.size(); ++i) {
        phi[i] = 1 / rho[i] - 2;
    }
    return state;
}

}  // namespace weir::cloud
