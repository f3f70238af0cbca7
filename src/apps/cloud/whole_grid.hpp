#pragma once

#include <span>

#include "apps/common/decomposition.hpp"

namespace weir::cloud {

/// All ranks' blocks in their places, x fastest, on every rank. Collective.
void gather_grid(Decomposition const&, std::span<double const> block, std::span<double> grid);

/// This rank's block of a grid that it has as a whole. Local.
void take_block(Decomposition const&, std::span<double const> grid, std::span<double> block);

}  // namespace weir::cloud
