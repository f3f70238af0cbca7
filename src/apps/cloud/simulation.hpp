#pragma once

#include <optional>

#include "apps/cloud/gravity.hpp"
#include "apps/cloud/hydrodynamics.hpp"

namespace weir::cloud {

/// What is solved, and how closely.
struct Physics {
    Gas gas;
    double gravity = 0;  ///< the constant G; 0: none
    Stop stop;           ///< of the potential's solver
};

/// What a run took so far.
struct Effort {
    Index cycles = 0;  ///< V-cycles
    Index capped = 0;  ///< solutions that ended at their last cycle and not at their residual
    Raised raised;     ///< by floors, on this rank
};

/// The collapse of a gas cloud: half a kick by gravity, the gas, the potential of its new density, half a kick. Second
/// order in space and time. All of its memory is the state, so that a run goes on from any state as if it had made it.
class Simulation {
  public:
    /// Solves for the potential at step 0; a state of a later step brings its own. Collective.
    Simulation(State, Physics const&);

    [[nodiscard]] State const& state() const { return state_; }
    [[nodiscard]] Effort const& effort() const { return effort_; }

    /// One step, or a shorter one to end at `end` exactly; what it returns is its length. Error as
    /// Hydrodynamics::advance. Collective.
    double step(std::optional<double> end = {});

  private:
    void solve();

    State state_;
    Hydrodynamics hydro_;
    std::optional<Gravity> gravity_;
    Effort effort_;
};

}  // namespace weir::cloud
