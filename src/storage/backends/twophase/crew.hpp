#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "array/failure.hpp"
#include "array/plan_facts.hpp"
#include "array/plan_options.hpp"
#include "comm/communicator.hpp"

namespace weir {

/// Ranks that make requests together: all of a file, or a group of them.
struct Crew {
    Communicator ranks;
    std::vector<std::uint64_t> node;  ///< of each rank, a number of its node
    array::PlanFacts facts;           ///< of these ranks and the file system, nothing of what they ask for

    /// Of the ranks that have the file at `path` open. Collective.
    Crew(Communicator const& file, std::string const& path, array::PlanOptions const&);
};

/// Makes one rank's failure everybody's, as the Error that the engine knows: what means nothing is a mistake of usage.
/// Collective.
void agree_as_errors(Communicator const&, array::FirstFailure const&);

}  // namespace weir
