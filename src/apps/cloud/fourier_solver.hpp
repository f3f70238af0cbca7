#pragma once

#include <span>

#include "apps/cloud/pencils.hpp"
#include "apps/common/grid.hpp"

namespace weir::cloud {

/// Complex numbers of eight pencils side by side, [place][lane].
template <class T>
struct ComplexLanes {
    T* re;
    T* im;
    [[nodiscard]] ComplexLanes at(Index place) const { return {re + place * lanes, im + place * lanes}; }
    operator ComplexLanes<T const>() const { return {re, im}; }  // NOLINT(*-explicit-*): as T* becomes T const*
};

/// Discrete Fourier transforms of any length n, by prime factors: n times their sum steps. Cooley, Tukey: An algorithm
/// for the machine calculation of complex Fourier series, Math. Comp. 19 (1965).
class Fourier {
  public:
    explicit Fourier(Index n);

    [[nodiscard]] Index length() const { return static_cast<Index>(cosines_.size()); }

    /// to[k] = sum over j of from[j] exp(-2 pi i j k / n) for each lane. With `re` and `im` exchanged on both sides it
    /// is n times the way back.
    void transform(ComplexLanes<double const> from, ComplexLanes<double> to);

  private:
    void part(Index n, Index step, ComplexLanes<double const> from, ComplexLanes<double> to);

    Doubles cosines_;  ///< of 2 pi k / n
    Doubles sines_;
    Doubles sums_;  ///< room for one prime factor's terms
};

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

/// Solves  laplacian(phi) = source - mean of source  (the seven-point stencil) in a periodic box at once: the waves of
/// the grid are the stencil's eigenvectors. For a grid of any numbers of cells, all of which this rank has.
/// Hockney: A fast direct solution of Poisson's equation using Fourier analysis, J. ACM 12 (1965).
class FourierSolver {
  public:
    explicit FourierSolver(Grid const&);

    /// Replaces the right-hand side of  sum of the 6 neighbours - 6 phi = rhs  by the phi with mean 0; a mean of rhs is
    /// left out. Local.
    void invert(std::span<double> values);

    /// What Multigrid::solve() does, in one cycle wherever it begins. Local.
    Solution solve(std::span<double> phi, std::span<double const> source, Stop const&);

  private:
    struct Parts {
        double* re;
        double* im;
    };
    void transform_along(std::size_t axis, Parts);
    void divide_by_eigenvalues();
    [[nodiscard]] double squared_residual(std::span<double const> phi, std::span<double const> rhs);

    Grid grid_;
    std::array<Fourier, axes> along_;
    std::array<Doubles, axes> eigenvalues_;  ///< a wave's are added up over the axes
    Doubles re_;
    Doubles im_;
    Doubles from_re_, from_im_, to_re_, to_im_;  ///< a group of pencils
};

}  // namespace weir::cloud
