#pragma once

#include "apps/cloud/state.hpp"

namespace weir::cloud {

/// Sedov's blast in the middle of a box of density 1: an energy of 1 as pressure within 3.5 cells, 1e-5 elsewhere; the
/// set-up of Fryxell et al.: FLASH, Astrophys. J. Suppl. 131 (2000), section 7.2. The energy on the grid is 1 but for
/// what the surroundings hold. Collective.
void fill_sedov_blast(State&, double gamma);

}  // namespace weir::cloud
