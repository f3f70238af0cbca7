#pragma once

#include "apps/cloud/state.hpp"

namespace weir::cloud {

// Initial states with known solutions, to verify the code.

/// A cold sphere at rest in the middle of the box: density 1 within a quarter of the box's length along x, 0.01
/// outside, pressure 1e-3 everywhere. Cells cut by its surface get their fraction, from 8^3 points each. With G = 1 it
/// collapses in sqrt(3 pi / 32). Local.
void fill_cold_sphere(State&);

/// Sod's shock tube along an axis (J. Comput. Phys. 27, 1978), and its mirror image, since the box is periodic: gas at
/// rest with density and pressure 1 from 0 to L/4, with 0.125 and 0.1 from there to 3L/4, L the box's length. The
/// diaphragms' waves meet after L/4 / 1.75. Local.
void fill_sod_tube(State&, std::size_t axis);

/// Sedov's blast in the middle of a box of density 1: an energy of 1 as pressure within 3.5 cells, 1e-5 elsewhere; the
/// set-up of Fryxell et al.: FLASH, Astrophys. J. Suppl. 131 (2000), section 7.2. The energy on the grid is 1 plus that
/// of the surroundings. Collective.
void fill_sedov_blast(State&, double gamma);

}  // namespace weir::cloud
