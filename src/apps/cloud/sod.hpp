#pragma once

#include "apps/cloud/state.hpp"

namespace weir::cloud {

/// Sod's shock tube along an axis (J. Comput. Phys. 27, 1978), and its mirror image behind it, since the box is
/// periodic: gas at rest with density and pressure 1 from 0 to L/4, with 0.125 and 0.1 from there to 3L/4, L the box's
/// length. The diaphragms' waves meet after L/4 / 1.75. Local.
void fill_sod_tube(State&, std::size_t axis);

}  // namespace weir::cloud
