#pragma once

#include "apps/common/grid.hpp"

namespace weir::gas {

/// Arrays of a gas's cells.
struct Fields {
    double const *rho, *u, *v, *w, *p;
};

/// The greatest |velocity along an axis| + sound speed of n cells, at least 8. Local.
double fastest_signal(Fields const&, Index n, double gamma);

}  // namespace weir::gas
