#pragma once

#include <optional>

#include "apps/cloud/poisson_fourier.hpp"
#include "apps/cloud/poisson_multigrid.hpp"
#include "apps/cloud/state.hpp"

namespace weir::cloud {

/// Solves for the potential on any grid and number of ranks, with bit-identical results: by V-cycles if the grid has an
/// even number of cells along each axis, otherwise directly by Fourier transforms. V-cycles are parallel if the ranks'
/// blocks also have even numbers of cells; otherwise every rank solves for the complete grid, as for Fourier
/// transforms.
class PotentialSolver {
  public:
    explicit PotentialSolver(Decomposition const&);

    /// As Multigrid::solve(). Collective.
    Solution solve(std::span<double> phi, std::span<double const> source, Stop const&);

  private:
    Solution solve_here(std::span<double> phi, std::span<double const> source, Stop const&);

    Decomposition where_;
    std::optional<Multigrid> cycles_;
    std::optional<FourierSolver> at_once_;
    Doubles whole_phi_;  ///< and the source: of all cells, if each rank solves for them
    Doubles whole_source_;
};

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
