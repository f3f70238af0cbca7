#pragma once

#include "apps/cloud/state.hpp"

namespace weir::cloud {

/// Totals of the gas by ordered sums: the same on every number of ranks.
struct Totals {
    double mass = 0;
    std::array<double, axes> momentum{};
    double gas_energy = 0;        ///< kinetic and internal
    double potential_energy = 0;  ///< sum of rho phi / 2 (with phi's mean at 0)
};

/// Collective.
Totals totals_of(State const&, double gamma);

}  // namespace weir::cloud
