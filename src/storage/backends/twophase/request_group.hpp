#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "array/planner/plan_facts.hpp"
#include "array/planner/plan_options.hpp"
#include "comm/communicator.hpp"

namespace weir {

/// The ranks of collective requests: all that have a file open, or one I/O group of them.
struct RequestGroup {
    Communicator ranks;
    std::vector<std::uint64_t> node;  ///< node number of each rank
    array::PlanFacts facts;           ///< about these ranks and the file system, without their requests

    /// The ranks that have the file at `path` open. Collective.
    RequestGroup(Communicator const& file, std::string const& path, array::PlanOptions const&);
};

}  // namespace weir
