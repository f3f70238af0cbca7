#pragma once

#include <cstdint>

#include "array/planner/plan_facts.hpp"
#include "array/planner/plan_options.hpp"

namespace weir::array {

/// How one direction of a plan works.
struct Strategy {
    Method method = Method::two_phase;  ///< never automatic
    std::uint64_t aggregators = 1;      ///< of all ranks

    bool operator==(Strategy const&) const = default;
};

/// What both directions of a plan have in common.
struct Sizes {
    std::uint64_t window = 1;  ///< bytes that an aggregator writes at once
    std::uint64_t group = 1;   ///< ranks, for Method::grouped
    bool messages = false;     ///< are all bytes sent, also within a node?
};

/// What one write or read takes, by the profile's numbers.
struct Cost {
    double seconds = 0;
    double exchange_s = 0;       ///< of it, for what goes from rank to rank; hidden where storage takes longer
    double storage_s = 0;        ///< of it, for bytes in and out of the file
    double requests_s = 0;       ///< of it, for the requests' own sake
    std::uint64_t requests = 0;  ///< of all ranks
};

/// Takes what is the bottleneck: the copies of all cores, the file's lock where writes of a node exclude each
/// other, the file system, the network; and what each request and message costs. docs/explanation/planner.md.
Cost cost_of(PlanFacts const&, Use, Strategy const&, Sizes const&);

}  // namespace weir::array
