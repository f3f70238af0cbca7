#pragma once

#include "apps/cloud/potential_solver.hpp"
#include "apps/cloud/state.hpp"

namespace weir::cloud {

/// The gas's own gravity in a periodic box: laplacian(phi) = 4 pi G (rho - mean of rho).
class Gravity {
  public:
    /// `constant`: G.
    Gravity(Decomposition const&, double constant, Stop const&);

    /// The potential of the state's density; the initial guess is the state's potential. Collective.
    Solution solve(State&);

    /// Accelerates the gas for a time dt: momentum by density times -grad phi (central differences), energy by the
    /// added kinetic energy, so that the pressure is unchanged. Collective.
    void kick(State&, double dt);

  private:
    double four_pi_g_;
    Stop stop_;
    PotentialSolver solver_;
    Ghosted potential_;
    Halo halo_;
    Doubles source_;
};

}  // namespace weir::cloud
