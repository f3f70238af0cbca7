#pragma once

#include <cstdint>

#include "array/planner/plan_facts.hpp"
#include "array/planner/plan_options.hpp"

namespace weir::array {

/// How one direction of a plan works.
struct Strategy {
    Method method = Method::two_phase;  ///< never chosen automatically
    std::uint64_t aggregators = 1;      ///< of all ranks

    bool operator==(Strategy const&) const = default;
};

/// Sizes that both directions of a plan share.
struct Sizes {
    std::uint64_t window = 1;  ///< bytes that an aggregator writes in one request
    std::uint64_t group = 1;   ///< ranks, for Method::grouped
    bool messages = false;     ///< are all bytes sent as messages, also within a node?
};

/// The predicted times of one write or read.
struct Cost {
    double seconds = 0;
    double exchange_s = 0;       ///< data exchange between ranks; hidden if storage takes longer
    double storage_s = 0;        ///< bytes to or from the file
    double requests_s = 0;       ///< latency of the requests
    std::uint64_t requests = 0;  ///< of all ranks
};

/// The bottleneck's time (copies of all cores, the file's lock that serialises writes of a node, the file system, the
/// network), plus the latency of requests and messages. docs/explanation/planner.md.
Cost cost_of(PlanFacts const&, Use, Strategy const&, Sizes const&);

}  // namespace weir::array
