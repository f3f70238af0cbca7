#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "array/planner/plan_facts.hpp"
#include "array/planner/plan_options.hpp"
#include "comm/communicator.hpp"

namespace weir {

/// Ranks that make collective requests together: all that have a file open, or one I/O group of them.
struct RequestGroup {
    Communicator ranks;
    std::vector<std::uint64_t> node;  ///< of each rank, a number of its node
    array::PlanFacts facts;           ///< of these ranks and the file system, nothing of what they ask for

    /// Of the ranks that have the file at `path` open. Collective.
    RequestGroup(Communicator const& file, std::string const& path, array::PlanOptions const&);
};

}  // namespace weir
