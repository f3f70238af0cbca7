#pragma once

#include <array>

#include "apps/cloud/gas.hpp"
#include "apps/common/decomposition.hpp"

namespace weir::cloud {

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
    std::array<double*, 5> high;   ///< and at the upper face; later the fluxes
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

/// One sweep of the piecewise parabolic method over all lanes; `mean` is the state before and, except for ghosts,
/// after. Colella, Woodward: The piecewise parabolic method (PPM) for gas-dynamical simulations, J. Comput. Phys. 54
/// (1984).
void sweep(Pencils&, double dt_over_dx, Gas const&);

}  // namespace weir::cloud
