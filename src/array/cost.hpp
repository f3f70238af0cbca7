#pragma once

#include <cstdint>

#include "array/plan_facts.hpp"
#include "array/way.hpp"

namespace weir::array {

/// What one write or read takes, by the profile's numbers.
struct Cost {
    double seconds = 0;
    double exchange_s = 0;       ///< of it, for what goes from rank to rank; hidden where storage takes longer
    double storage_s = 0;        ///< of it, for bytes in and out of the file
    double requests_s = 0;       ///< of it, for the requests' own sake
    std::uint64_t requests = 0;  ///< of all ranks
};

/// Reckons with what is the bottleneck: the copies of all cores, the file's lock where writes of a node exclude each
/// other, the file system, the network; and what each request and message costs. docs/explanation/planner.md.
Cost cost_of(PlanFacts const&, Use, Way const&, Sizes const&);

}  // namespace weir::array
