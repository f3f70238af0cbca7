#pragma once

#include "pattern/grouping.hpp"
#include "pattern/pattern.hpp"

namespace weir {

/// The pattern as groups of ranks carry it out: their roots open the files of arrays and make the requests, and their
/// members' data pass in messages. As GroupedBackend does it, but for the few bytes with which members tell the root
/// what their parts are. Groups are by count; accesses are of all ranks, or of one that is a root. Otherwise Error
/// (usage). Pure; time grows with the steps and the members of a group.
Pattern grouped(Pattern, Grouping const&);

}  // namespace weir
