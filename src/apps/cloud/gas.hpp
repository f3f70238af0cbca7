#pragma once

#include <array>
#include <string_view>

namespace weir::cloud {

enum class RiemannSolver { hllc, two_shock };
constexpr std::array<std::string_view, 2> enum_names(RiemannSolver) { return {"hllc", "two-shock"}; }

/// An ideal gas, and how its equations are solved.
struct Gas {
    double gamma = 1.1;                           ///< ratio of specific heats
    RiemannSolver riemann = RiemannSolver::hllc;  ///< at the faces of cells
    double viscosity = 0.1;                       ///< artificial; Colella & Woodward (1984) eq. (4.5)
    double cfl = 0.4;                             ///< largest |u| + c in cells a step
    double density_floor = 0;                     ///< densities below are raised to it; 0: none, and an error
    double pressure_floor = 0;                    ///< the same for pressures
};

}  // namespace weir::cloud
