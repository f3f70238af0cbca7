#pragma once

#include <array>

#include "apps/cloud/gas.hpp"
#include "apps/common/decomposition.hpp"

namespace weir::cloud {

constexpr Index lanes = 8;   ///< pencils that are swept side by side: a cache line of neighbours
constexpr Index ghosts = 4;  ///< cells of a neighbour that a sweep sees at each end
static_assert(ghosts <= thick_block, "a block has all the ghosts of its neighbours");

/// Eight pencils of cells along the sweep and all arrays between one stage and the next, [cell][lane], so small that
/// they stay in the second-level cache. Pointers stand at the first cell that is not a ghost.
class Pencils {
  public:
    explicit Pencils(Index n);
    Pencils(Pencils&&) = default;  // a copy's pointers would stand in the original
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
    Index used = lanes;  ///< lanes that hold a pencil of their own; those behind repeat the last of them
    Raised raised;       ///< since the start
    bool sound = true;   ///< false: some cell has a density or pressure that is not positive

  private:
    Doubles memory_;
};

/// One sweep of the piecewise parabolic method over all lanes; `mean` is the state before and, but for ghosts, after.
/// Colella, Woodward: The piecewise parabolic method (PPM) for gas-dynamical simulations, J. Comput. Phys. 54 (1984).
void sweep(Pencils&, double dt_over_dx, Gas const&);

}  // namespace weir::cloud
