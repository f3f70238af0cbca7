#pragma once

#include "apps/flash/gas/blocks.hpp"

namespace weir::flash {

/// Totals over all leaves, by ordered sums: the same on every number of ranks.
struct LeafTotals {
    double mass = 0;
    double energy = 0;  ///< kinetic and internal
};

/// Collective.
LeafTotals totals_of(Blocks const&, double gamma);

/// Where the mean density of shells around a centre, one finest cell thick, falls to halfway between its peak and the
/// surroundings' 1, outside the peak; 0 if there is no peak. The same on every number of ranks. Collective.
double shock_radius(Blocks const&, Corner const& centre);

}  // namespace weir::flash
