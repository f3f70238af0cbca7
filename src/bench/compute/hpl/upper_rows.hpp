#pragma once

#include <cstdint>
#include <vector>

#include "bench/compute/hpl/panel.hpp"
#include "bench/compute/linear/blas.hpp"

namespace weir {

/// Rows of U from those of the matrix: L^-1 of a panel's unit lower triangle, by products of matrices alone. The
/// diagonal blocks are inverted once a panel (E. Agullo et al., Numerical linear algebra on emerging architectures,
/// 2009): the triangular solve of OpenBLAS 0.3.21 runs at a fifth of the rate of its products.
class UpperRows {
  public:
    static constexpr std::uint64_t in_cache = 128;  ///< columns, of which what one product leaves is there for the next

    /// Inverts the diagonal blocks of the panel. Local.
    void prepare(Panel const&);

    /// `to` <- L^-1 `from`, of as many rows as the panel is wide and so many columns; rows are so far apart in each.
    /// `from` is overwritten. Local.
    void solve(Blas const&, Panel const&, std::uint64_t columns, double* from, std::uint64_t from_apart, double* to,
               std::uint64_t to_apart) const;

  private:
    static constexpr std::uint64_t block = 32;

    AlignedNumbers inverse_;  ///< of the diagonal blocks, one after the other, each block x block, row by row
};

}  // namespace weir
