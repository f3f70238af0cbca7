#pragma once

#include "apps/flash/gas/cells.hpp"

namespace weir::flash {

/// Löhner's estimate of a block's error in one variable, as FLASH computes it: a second difference over the first ones,
/// from 0 to 1, at its greatest in the block and two layers of guard cells around it. With du_a = u(+1 along a) - u(-1)
/// and ua_a = |u(+1)| + |u(-1)|,
///
///   E^2 = sum over a, b of (du_a(+1 along b) - du_a(-1))^2
///       / sum over a, b of (|du_a(+1)| + |du_a(-1)| + 0.01 (ua_a(+1) + ua_a(-1)))^2.
///
/// Löhner: An adaptive finite element scheme for transient problems in CFD, Comp. Meth. Appl. Mech. Eng. 61 (1987);
/// Fryxell et al.: FLASH, Astrophys. J. Suppl. 131 (2000), section 3.2. The view must hold `guards` layers. Local.
double loehner_error(View<double const> const& cells, std::size_t variable, Index n);

}  // namespace weir::flash
