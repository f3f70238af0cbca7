#pragma once

#include <span>

#include "apps/common/decomposition.hpp"

namespace weir::cloud {

/// Gathers all ranks' blocks into the complete grid, x fastest, on every rank. Collective.
void gather_grid(Decomposition const&, std::span<double const> block, std::span<double> grid);

/// Copies this rank's block from the complete grid. Local.
void take_block(Decomposition const&, std::span<double const> grid, std::span<double> block);

}  // namespace weir::cloud
