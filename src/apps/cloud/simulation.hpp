#pragma once

#include <optional>

#include "apps/cloud/gravity.hpp"
#include "apps/cloud/hydrodynamics.hpp"

namespace weir::cloud {

/// The equations of a run, and the accuracy of their solution.
struct Physics {
    Gas gas;
    double gravity = 0;  ///< the constant G; 0: none
    Stop stop;           ///< for the potential's solver
};

/// The work of a run so far.
struct Effort {
    Index cycles = 0;  ///< V-cycles
    Index capped = 0;  ///< solutions that stopped at their last cycle, not by their residual
    Raised raised;     ///< by floors, on this rank
};

/// The collapse of a gas cloud: half a kick by gravity, the gas, the potential of its new density, half a kick. Second
/// order in space and time. It keeps nothing but the state, so that a run can continue from any state.
class Simulation {
  public:
    /// Solves for the potential at step 0; a later state has it already. Collective.
    Simulation(State, Physics const&);

    [[nodiscard]] State const& state() const { return state_; }
    [[nodiscard]] Effort const& effort() const { return effort_; }

    /// One step, or a shorter one to end at `end` exactly; returns its length. Error as Hydrodynamics::advance.
    /// Collective.
    double step(std::optional<double> end = {});

  private:
    void solve();

    State state_;
    Hydrodynamics hydro_;
    std::optional<Gravity> gravity_;
    Effort effort_;
};

}  // namespace weir::cloud
