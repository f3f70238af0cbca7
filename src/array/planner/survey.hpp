#pragma once

#include <string>

#include "array/layout/io_group.hpp"
#include "array/planner/plan_facts.hpp"
#include "array/planner/plan_options.hpp"
#include "comm/communicator.hpp"

namespace weir::array {

/// Looks at all that the planner wants to know: what the ranks hold, their nodes, the file system of `directory`, the
/// profile. `node` is this rank's. Collective over `comm`; throws Failure, the same on all ranks.
PlanFacts survey(Communicator const& comm, Communicator const& node, Arrays const&, PlanOptions const&);

/// Do ranks read other bytes than they write?
bool has_two_shares(Arrays const&);

/// What the planner wants to know of the machine: nodes, cores, memory; the file system of `place`, a file or directory
/// (empty: unknown); the options' profile. `node` is this rank's. Collective over `comm`; throws Failure, the same on
/// all ranks.
PlanFacts survey_machine(Communicator const& comm, Communicator const& node, PlanOptions const&,
                         std::string const& place);

}  // namespace weir::array
