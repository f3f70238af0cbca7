#pragma once

#include "apps/cloud/gas.hpp"
#include "apps/common/grid.hpp"

namespace weir::cloud {

class Pencils;

/// How often floors have raised a cell, in any sweep along any axis.
struct Raised {
    Index density = 0;
    Index pressure = 0;

    void add(Raised const& other) {
        density += other.density;
        pressure += other.pressure;
    }
    friend bool operator==(Raised const&, Raised const&) = default;
};

constexpr bool has_floors(Gas const& gas) { return gas.density_floor > 0 || gas.pressure_floor > 0; }

/// Raises densities, which leaves momentum and energy as they are, and then pressures of the swept pencils; counts them
/// in `raised`, and looks again whether all are sound.
void raise_to_floors(Pencils&, Gas const&);

}  // namespace weir::cloud
