#pragma once

#include <vector>

#include "bench/compute/hpl/hpl_matrix.hpp"
#include "bench/compute/linear/blas.hpp"

namespace weir {

/// How well x solves A x = b, with the original's norms: r = ||A x - b|| / (eps (||A|| ||x|| + ||b||) N), all of them
/// maximum norms and eps = 2^-53. HPL passes a solution whose r is below 16.
struct HplResidual {
    double scaled = 0;      ///< r
    double difference = 0;  ///< ||A x - b||
    double matrix = 0;      ///< ||A||: the greatest sum of magnitudes of a row
    double solution = 0;
    double right_side = 0;
    double matrix_1 = 0;    ///< the greatest sum of magnitudes of a column
    double solution_1 = 0;  ///< the sum of magnitudes

    static constexpr double most = 16;
};

/// Of a matrix that has been filled anew. Collective over the grid.
HplResidual hpl_residual(ProcessGrid const&, Blas const&, HplMatrix&, std::vector<double> const& x);

}  // namespace weir
