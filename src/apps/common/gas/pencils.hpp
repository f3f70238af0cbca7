#pragma once

#include <array>
#include <string_view>

#include "apps/common/decomposition.hpp"
#include "apps/common/grid.hpp"

namespace weir::gas {

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

constexpr Index lanes = 8;   ///< pencils that are swept together: a cache line of neighbours
constexpr Index ghosts = 4;  ///< ghost cells at each end of a sweep
static_assert(ghosts <= thick_block, "a block has all the ghosts of its neighbours");

/// Eight pencils of cells along the sweep and all arrays between its stages, [cell][lane], small enough for the
/// second-level cache. Pointers are to the first cell that is not a ghost.
class Pencils {
  public:
    explicit Pencils(Index n);
    Pencils(Pencils&&) = default;  // a copy's pointers would refer to the original
    Pencils(Pencils const&) = delete;

    Index cells;
    std::array<double*, 5> mean;   ///< cell averages: density, velocity along the sweep, the other two, pressure
    std::array<double*, 5> left;   ///< traced states at face i (below cell i), from the cell below
    std::array<double*, 5> right;  ///< and from the cell above
    std::array<double*, 5> low;    ///< a parabola's value at the lower face of its cell; later the conserved quantities
    std::array<double*, 5> high;   ///< and at the upper face; after a sweep the fluxes, as sweep() says
    double* steep;
    double* flat;
    double* slope;
    double* face;
    Index used = lanes;  ///< lanes with their own pencil; the others repeat the last one
    Raised raised;       ///< since the start
    bool sound = true;   ///< false: some cell's density or pressure is not positive

  private:
    Doubles memory_;
};

/// Which quantity of (density, u, v, w, pressure) is which of Pencils::mean in a sweep along an axis.
constexpr std::array<std::size_t, 5> order_along(std::size_t axis) {
    return {0, 1 + axis, 1 + (axis + 1) % axes, 1 + (axis + 2) % axes, 4};
}

/// Copies `width` pencils to [cell][lane], and back. In `from` the cells of a pencil are `along` apart, and those of
/// adjacent pencils `across`. Lanes that have no pencil repeat the last one.
void load_cells(double* lanes_of_cells, double const* from, Index cells, Index along, Index across, Index width);
void store_cells(double const* lanes_of_cells, double* to, Index cells, Index along, Index across, Index width);

/// A cell of the pencils in use.
struct PencilCell {
    Index cell;
    Index lane;
};

/// The first whose density or pressure is not positive; the first of all if none is.
PencilCell first_unsound(Pencils const&);

/// One sweep of the piecewise parabolic method over all lanes; `mean` is the state before and, except for ghosts,
/// after. Colella, Woodward: The piecewise parabolic method (PPM) for gas-dynamical simulations, J. Comput. Phys. 54
/// (1984).
///
/// Afterwards `high` holds the fluxes that were used, artificial viscosity included, of mass, momentum (in the order of
/// the velocities in `mean`) and energy, a unit of area and time: high[v][i * lanes + l] is that through the lower face
/// of cell i, from cell i - 1 to cell i, for i from 0 to `cells`. Floors raise cells after it.
void sweep(Pencils&, double dt_over_dx, Gas const&);

}  // namespace weir::gas
