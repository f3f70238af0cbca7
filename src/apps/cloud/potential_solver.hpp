#pragma once

#include <optional>

#include "apps/cloud/fourier_solver.hpp"
#include "apps/cloud/multigrid.hpp"

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

}  // namespace weir::cloud
