#pragma once

#include <optional>

#include "apps/cloud/hydrodynamics.hpp"
#include "apps/cloud/state.hpp"

namespace weir::cloud {

/// Totals of the gas by ordered sums: the same on every number of ranks.
struct GasTotals {
    double mass = 0;
    std::array<double, axes> momentum{};
    double gas_energy = 0;        ///< kinetic and internal
    double potential_energy = 0;  ///< sum of rho phi / 2 (with phi's mean at 0)
};

/// Collective.
GasTotals totals_of(State const&, double gamma);

/// The maxima of a state.
struct Peak {
    double density = 0;
    double crowding = 0;  ///< four cells by the Jeans length, squared, at its maximum; 0 without gravity
    Cell cell{};          ///< where it is

    /// Truelove's condition is violated: the Jeans length is not longer than four cells, and the gas may fragment
    /// artificially. Truelove et al.: The Jeans condition, Astrophys. J. 489 (1997).
    [[nodiscard]] bool is_unresolved() const { return crowding >= 1; }

    /// Takes the maximum of each.
    void add(Peak const&);
};

/// Over all ranks. rho < pi c^2 / (16 G dx^2) with c^2 = gamma p / rho is a crowding below 1. Collective.
Peak peak_of(State const&, double gravity, double gamma);

/// A cell of this rank with a density or pressure that is not positive, or a value that is not finite. Local.
std::optional<Cell> impossible_cell(State const&);

}  // namespace weir::cloud
