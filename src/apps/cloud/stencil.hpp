#pragma once

#include "apps/common/ghosted.hpp"

namespace weir::cloud {

/// The two colours of a block's cells as on a chessboard, each packed into an array of half as many cells along x: cell
/// x of the row (j, k) is cell x / 2 of red if x + j + k is even, and of black if it is odd. A cell's six neighbours
/// are of the other colour, and along a row all loads are contiguous, so that loops over a colour are vectorised.
struct Coloured {
    explicit Coloured(Triple const& cells)
        : red({cells[0] / 2, cells[1], cells[2]}), black({cells[0] / 2, cells[1], cells[2]}) {}
    Ghosted red;
    Ghosted black;
};

enum class Colour : Index { red, black };

/// Splits a block (x fastest, no ghosts) into colours, times a factor; and the inverse, into an array with ghosts.
void to_colours(double const* block, double factor, Coloured& to);
void from_colours(Coloured const&, double* block);
void from_colours(Coloured const&, Ghosted& to);

/// One half of a red-black Gauss-Seidel sweep of  sum of the 6 neighbours - 6 phi = rhs  (rhs times the spacing
/// squared), over-relaxed. The other colour's ghosts must be filled. Yavneh: On red-black SOR smoothing in multigrid,
/// SIAM J. Sci. Comput. 17 (1996).
void relax(Coloured& phi, Coloured const& rhs, Colour, double omega);

/// Squares of the residuals, in colour order, for order-independent sums. Ghosts must be filled.
void squared_residuals(Coloured const& phi, Coloured const& rhs, double* squares);

/// The coarse grid's right-hand side (times its spacing squared): the mean of 8 residuals. A block with half the cells
/// along each axis. Ghosts must be filled.
void restrict_residuals(Coloured const& phi, Coloured const& rhs, double* coarse);

/// Adds a coarse grid's correction, interpolated trilinearly between centres (weights 3/4 and 1/4 along each axis).
/// `offset`: the coarse cell at which this block begins. The coarse ghosts must be filled, with edges and corners.
void add_interpolated(Ghosted const& coarse, Triple const& offset, Coloured& phi);

}  // namespace weir::cloud
