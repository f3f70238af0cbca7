#pragma once

#include "apps/flash/gas/cells.hpp"

namespace weir::flash {

/// One coarse cell of the 8 fine ones: the means of mass, momentum and energy. What is kinetic energy of the fine
/// cells' relative motion is internal energy of the coarse one. Uniform gas stays as it is, bit for bit. `coarse`: the
/// cells to fill, of which cell c holds the fine cells from 2c to 2c + 1.
void average(View<double const> const& fine, CellBox const& coarse, View<double> const& to, double gamma);

/// The inverse: linear within a coarse cell, with the lesser of the two slopes towards its neighbours (minmod; van
/// Leer, J. Comput. Phys. 32, 1979), so that no value is outside theirs. Means of mass, momentum and energy are kept:
/// the velocity is linear but for a constant that keeps momentum, and the internal energy pays for the kinetic energy
/// of the cells' relative motion, whose slopes are reduced where it would take more than half of it. `coarse`: the
/// cells to divide, whose 6 neighbours must be in the view.
void interpolate(View<double const> const& coarse, CellBox const& cells, View<double> const& fine, double gamma);

}  // namespace weir::flash
