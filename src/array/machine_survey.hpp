#pragma once

#include <string>

#include "array/plan_facts.hpp"
#include "array/plan_options.hpp"
#include "comm/communicator.hpp"

namespace weir::array {

/// What the planner wants to know of the machine: nodes, cores, memory; the file system of `place`, a file or directory
/// (empty: unknown); the options' profile. `node` is this rank's. Collective over `comm`; throws Failure, the same on
/// all ranks.
PlanFacts survey_machine(Communicator const& comm, Communicator const& node, PlanOptions const&,
                         std::string const& place);

}  // namespace weir::array
