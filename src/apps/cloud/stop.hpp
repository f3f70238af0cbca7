#pragma once

#include "apps/common/grid.hpp"

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

}  // namespace weir::cloud
