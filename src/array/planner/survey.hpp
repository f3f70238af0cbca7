#pragma once

#include <string>

#include "array/layout/io_group.hpp"
#include "array/planner/plan_facts.hpp"
#include "array/planner/plan_options.hpp"
#include "comm/collective_error_c.hpp"
#include "comm/communicator.hpp"

namespace weir::array {

/// Collects the planner's input: the ranks' loads, their nodes, the file system of `directory`, the machine profile.
/// `node`: the ranks of this node. Collective over `comm`; this rank's failures are kept in `failure`, but for those of
/// a directory or a profile that is named, which are thrown on all ranks.
PlanFacts survey(Communicator const& comm, Communicator const& node, Arrays const&, PlanOptions const&,
                 FirstFailure& failure);

/// Is it left to the ranks' descriptions whether all of it is written?
bool may_have_holes(Arrays const&);

/// Do ranks read different bytes than they write?
bool has_two_shares(Arrays const&);

/// Collects the machine's part of it: nodes, cores, memory; the file system of `place`, a file or directory (empty:
/// unknown); the options' machine profile. `node`: the ranks of this node. Collective over `comm`; throws Failure, the
/// same on all ranks.
PlanFacts survey_machine(Communicator const& comm, Communicator const& node, PlanOptions const&,
                         std::string const& place);

}  // namespace weir::array
