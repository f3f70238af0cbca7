#pragma once

#include "pattern/grouping.hpp"
#include "pattern/pattern.hpp"

namespace weir {

/// The sizes of groups for reading and writing, of 1, 2, 4, ... and all ranks, that are predicted to take the least
/// time for the requests of requests_of(): a phase that writes, and one that reads. More openers cost time, larger
/// groups messages, and a root takes no more than 256 MiB of its members' data. Local and pure.
Grouping choose_groups(Pattern const& asked, GroupRequests);

}  // namespace weir
