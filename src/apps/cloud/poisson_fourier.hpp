#pragma once

#include <span>

#include "apps/common/gas/pencils.hpp"
#include "apps/common/grid.hpp"

namespace weir::cloud {

using gas::lanes;

/// Complex numbers of eight adjacent pencils, [place][lane].
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

    /// to[k] = sum over j of from[j] exp(-2 pi i j k / n) for each lane. With `re` and `im` exchanged on both sides: n
    /// times the inverse.
    void transform(ComplexLanes<double const> from, ComplexLanes<double> to);

  private:
    void part(Index n, Index step, ComplexLanes<double const> from, ComplexLanes<double> to);

    Doubles cosines_;  ///< of 2 pi k / n
    Doubles sines_;
    Doubles sums_;  ///< room for one prime factor's terms
};

/// The stopping criterion of a solution.
struct Stop {
    double residual = 1e-6;  ///< rms of the residual over that of the right-hand side; 0: all cycles, unchecked
    Index cycles = 60;       ///< at most
};

/// The cost of a solution.
struct Solution {
    Index cycles = 0;
    double residual = 0;    ///< as in Stop; 0 if not computed
    bool converged = true;  ///< false: the cycle limit was reached
};

/// Solves  laplacian(phi) = source - mean of source  (the seven-point stencil) in a periodic box directly: the waves of
/// the grid are the stencil's eigenvectors. For a grid of any numbers of cells, all of which are on this rank. Hockney:
/// A fast direct solution of Poisson's equation using Fourier analysis, J. ACM 12 (1965).
class FourierSolver {
  public:
    explicit FourierSolver(Grid const&);

    /// Replaces the right-hand side of  sum of the 6 neighbours - 6 phi = rhs  by the phi with mean 0; the mean of rhs
    /// is ignored. Local.
    void invert(std::span<double> values);

    /// As Multigrid::solve(), in one cycle for any initial guess. Local.
    Solution solve(std::span<double> phi, std::span<double const> source, Stop const&);

  private:
    struct ComplexParts {
        double* re;
        double* im;
    };
    void transform_along(std::size_t axis, ComplexParts);
    void divide_by_eigenvalues();
    [[nodiscard]] double squared_residual(std::span<double const> phi, std::span<double const> rhs);

    Grid grid_;
    std::array<Fourier, axes> along_;
    std::array<Doubles, axes> eigenvalues_;  ///< per axis; a wave's eigenvalue is the sum over the axes
    Doubles re_;
    Doubles im_;
    Doubles from_re_, from_im_, to_re_, to_im_;  ///< a group of pencils
};

}  // namespace weir::cloud
