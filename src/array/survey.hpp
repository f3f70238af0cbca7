#pragma once

#include "array/plan_facts.hpp"
#include "array/plan_options.hpp"
#include "array/team.hpp"
#include "comm/communicator.hpp"

namespace weir::array {

/// Looks at all that the planner wants to know: what the ranks hold, their nodes, the file system of `directory`, the
/// profile. `node` is this rank's. Collective over `comm`; throws Failure, the same on all ranks.
PlanFacts survey(Communicator const& comm, Communicator const& node, Arrays const&, PlanOptions const&);

/// Do ranks read other bytes than they write?
bool has_two_shares(Arrays const&);

}  // namespace weir::array
