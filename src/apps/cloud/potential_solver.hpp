#pragma once

#include <optional>

#include "apps/cloud/fourier_solver.hpp"
#include "apps/cloud/multigrid.hpp"

namespace weir::cloud {

/// Solves for the potential on any grid and any ranks, bit for bit the same on all of them: by V-cycles where the grid
/// has an even number of cells along each axis, and at once by Fourier transforms where not. V-cycles are shared by the
/// ranks whose blocks have even numbers of cells as well; every rank solves for the whole grid where not, and at once.
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
    Doubles whole_phi_;  ///< and the source: of all cells, where each rank solves for them
    Doubles whole_source_;
};

}  // namespace weir::cloud
