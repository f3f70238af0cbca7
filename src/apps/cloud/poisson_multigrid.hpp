#pragma once

#include <optional>
#include <span>
#include <vector>

#include "apps/cloud/poisson_fourier.hpp"
#include "apps/cloud/stencil.hpp"

namespace weir::cloud {

/// Solves  laplacian(phi) = source - mean of source  in a periodic box by V(2,2) cycles: red-black Gauss-Seidel with
/// omega = 1.15, residuals restricted as means of 8, corrections interpolated trilinearly. Brandt: Multi-level adaptive
/// solutions to boundary-value problems, Math. Comp. 31 (1977); Trottenberg, Oosterlee, Schueller: Multigrid (2001).
///
/// A grid is coarsened while it has an even number of cells along each axis and many of them; every rank solves the
/// coarsest one directly. Blocks are coarsened with it while they have even numbers of cells; smaller grids are
/// replicated on every rank. The result is bit-identical to one rank's, in as many cycles.
class Multigrid {
  public:
    /// Error (usage) if a block has an odd number of cells along an axis.
    explicit Multigrid(Decomposition const&);

    /// `phi` is the initial guess and the result, with mean 0; both are blocks without ghosts. Collective.
    Solution solve(std::span<double> phi, std::span<double const> source, Stop const&);

  private:
    /// The transfer between the finer level and a grid.
    struct Passage {
        Passage(Decomposition const&, bool all);  ///< `all`: each rank has the complete grid
        Decomposition where;
        Doubles block;  ///< residuals sent to this level; on the finest level workspace for them
        Ghosted whole;  ///< corrections of both colours
        Halo halo;
        bool gathered;  ///< from this level on `all`
    };

    struct GridLevel {
        explicit GridLevel(Passage);
        Passage up;
        Coloured phi;
        Coloured rhs;
        Halo halo;  ///< of a colour
    };

    struct Coarsest {
        explicit Coarsest(Passage);
        Passage up;
        FourierSolver solver;
    };

    void add_levels();
    void sweep(GridLevel&, Index times);
    void cycle(std::size_t at);
    void solve_below(std::size_t at);
    void solve_coarsest();
    static void go_down(GridLevel const& fine, Passage& coarse);
    static void come_up(Passage& coarse, GridLevel& fine);
    [[nodiscard]] double squared_residual();
    [[nodiscard]] double mean(std::span<double const>) const;

    std::vector<GridLevel> levels_;
    std::optional<Coarsest> coarsest_;
    double count_;  ///< cells of the grid
};

}  // namespace weir::cloud
