#pragma once

#include <array>
#include <string_view>

#include "apps/common/grid.hpp"

namespace weir::cloud {

enum class RiemannSolver { hllc, two_shock };
constexpr std::array<std::string_view, 2> enum_names(RiemannSolver) { return {"hllc", "two-shock"}; }

/// An ideal gas, and the numerical scheme for its equations.
struct Gas {
    double gamma = 1.1;                           ///< ratio of specific heats
    RiemannSolver riemann = RiemannSolver::hllc;  ///< at the faces of cells
    double viscosity = 0.1;                       ///< artificial; Colella & Woodward (1984) eq. (4.5)
    double cfl = 0.4;                             ///< largest |u| + c in cells a step
    double density_floor = 0;                     ///< lower densities are raised to it; 0: none, and an error
    double pressure_floor = 0;                    ///< the same for pressures
};

class Pencils;

/// How often floors have raised a cell, in all sweeps.
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

/// Raises densities, keeping momentum and energy, and then pressures of the swept pencils; counts them in `raised`, and
/// checks again whether all are sound.
void raise_to_floors(Pencils&, Gas const&);

}  // namespace weir::cloud
