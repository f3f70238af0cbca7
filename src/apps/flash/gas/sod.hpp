#pragma once

#include "apps/flash/gas/blocks.hpp"

namespace weir::flash {

/// Sod's shock tube along x (J. Comput. Phys. 27, 1978), with FLASH's names for it: gas at rest, with one density and
/// pressure up to a place, and another beyond.
struct Sod {
    double left_density = 1;
    double left_pressure = 1;
    double right_density = 0.125;
    double right_pressure = 0.1;
    double place = 0.5;  ///< a border of cells on all levels
};

/// Fills leaves. Local.
void fill_sod(Blocks&, Sod const&);

}  // namespace weir::flash
