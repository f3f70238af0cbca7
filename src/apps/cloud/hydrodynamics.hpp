#pragma once

#include <vector>

#include "apps/cloud/axis_sweep.hpp"

namespace weir::cloud {

/// The order in which the three directions are swept: alternating makes a pair of steps second order in time. Strang:
/// On the construction and comparison of difference schemes, SIAM Journal on Numerical Analysis 5 (1968).
enum class SweepOrder { xyz, zyx };

/// Advances a gas by sweeps along the axes. A sweep exchanges four layers of cells only with the neighbours along its
/// axis; half of the faces are in flight while the other half's pencils are swept.
class Hydrodynamics {
  public:
    /// Error (usage) if a block has fewer than 4 cells along an axis.
    Hydrodynamics(Decomposition const&, Gas const&);

    /// The time in which the fastest signal crosses `gas.cfl` of a cell. Collective.
    [[nodiscard]] double time_step(State const&) const;

    /// One step without gravity. Error (cannot_run) on all ranks, with cell, time and step, if a density or pressure is
    /// not positive. Collective.
    void advance(State&, double dt, SweepOrder);

    /// On this rank, since the start. Local.
    [[nodiscard]] Raised raised() const;

  private:
    Gas gas_;
    std::vector<AxisSweep> sweeps_;
};

}  // namespace weir::cloud
