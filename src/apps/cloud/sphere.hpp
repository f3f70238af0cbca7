#pragma once

#include "apps/cloud/state.hpp"

namespace weir::cloud {

/// A cold sphere at rest in the middle of the box: density 1 within a quarter of the box's length along x, 0.01
/// outside, pressure 1e-3 everywhere. Cells that its surface cuts get their share, from 8^3 points each. With G = 1 it
/// falls in on itself in sqrt(3 pi / 32). Local.
void fill_cold_sphere(State&);

}  // namespace weir::cloud
