#pragma once

#include "apps/flash/gas/surroundings.hpp"

namespace weir::flash {

/// The limits of FLASH's defaults: a leaf whose error is above the first is refined; leaves are merged if their errors
/// and their parent's are at most the second.
constexpr double refine_above = 0.8;
constexpr double coarsen_below = 0.2;

/// A mark for each block of the tree, from the estimated errors in density and pressure, the same on all ranks. Parents
/// must be filled; exchanges the surroundings. Collective.
std::vector<Mark> marks_of(Blocks const&, Surroundings&, double gamma);

/// The state on another tree, which differs by one level nowhere more than adapted() changes it: new blocks are
/// interpolated from their parents, whose surroundings must be exchanged; of merged ones the parent remains. New
/// parents keep what they had as leaves. Collective.
Blocks moved_to(Tree, Blocks const&, Surroundings&, double gamma);

}  // namespace weir::flash
