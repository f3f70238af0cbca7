#pragma once

#include "pattern/grouping.hpp"
#include "pattern/pattern.hpp"

namespace weir {

/// The sizes of groups for reading and writing that are predicted to take the least time for these requests, of 1, 2,
/// 4, ... and all ranks. Local and pure.
Grouping choose_groups(Pattern const& asked, GroupRequests);

}  // namespace weir
