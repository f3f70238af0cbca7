#pragma once

#include <span>
#include <vector>

#include "apps/cloud/stencil.hpp"

namespace weir::cloud {

/// When a solution is good enough.
struct Stop {
    double residual = 1e-6;  ///< rms of the residual over that of the right-hand side; 0: do all cycles, look at none
    Index cycles = 60;       ///< at most
};

/// What a solution took.
struct Solution {
    Index cycles = 0;
    double residual = 0;    ///< as in Stop; 0 if nobody looked
    bool converged = true;  ///< false: the cycles were spent first
};

/// Solves  laplacian(phi) = source - mean of source  in a periodic box by V(2,2) cycles: red-black Gauss-Seidel with
/// omega = 1.15, residuals restricted as means of 8, corrections interpolated trilinearly. Brandt: Multi-level adaptive
/// solutions to boundary-value problems, Math. Comp. 31 (1977); Trottenberg, Oosterlee, Schueller: Multigrid (2001).
///
/// Blocks are coarsened while they have an even number of cells along each axis; smaller grids are gathered and solved
/// by every rank on its own. All ranks compute what one rank would, bit for bit.
class Multigrid {
  public:
    /// Error (usage) if a block has an odd number of cells along an axis.
    explicit Multigrid(Decomposition const&);

    /// `phi` is where to begin and what comes out, with mean 0; both are blocks without ghosts. Collective.
    Solution solve(std::span<double> phi, std::span<double const> source, Stop const&);

  private:
    struct Level {
        explicit Level(Decomposition const&);
        Decomposition where;
        Coloured phi;
        Coloured rhs;
        Halo halo;      ///< of a colour
        Ghosted whole;  ///< both colours in place, for the finer level
        Halo whole_halo;
        Doubles block;          ///< a right-hand side on its way here; on the finest level room for residuals
        bool gathered = false;  ///< from here on each rank has the whole grid
    };

    void add_levels();
    void sweep(Level&, Index times);
    void cycle(std::size_t at);
    void go_down(Level& fine, Level& coarse);
    void come_up(Level& coarse, Level& fine);
    [[nodiscard]] double squared_residual();
    [[nodiscard]] double mean(std::span<double const>) const;

    std::vector<Level> levels_;
    double count_;  ///< cells of the grid
};

}  // namespace weir::cloud
