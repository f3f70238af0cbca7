#pragma once

#include <cstdint>
#include <span>

#include "apps/cloud/dump/layout.hpp"
#include "apps/cloud/state.hpp"

namespace weir::cloud {

/// One byte a cell of this rank's block: log rho, p, |u| or phi, from 0 at the least value of all ranks to 255 at the
/// greatest, rounded to the nearest; 0 where all are the same, and where there is no logarithm. Independent of the
/// ranks. Collective.
void paint(State const&, Picture, std::span<std::uint8_t> cells);

}  // namespace weir::cloud
