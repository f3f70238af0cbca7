#pragma once

#include <cstdint>
#include <vector>

#include "array/planner/plan_facts.hpp"

namespace weir::array {

/// The number of `count` aggregators on the node that has most of them.
std::uint64_t per_node(PlanFacts const&, std::uint64_t count);

/// Is there only one node, with a local file system, as far as is known?
bool alone(PlanFacts const&);

/// The candidate numbers of aggregators, the preferred one first. On one node another aggregator costs only its
/// windows, and shares the copying; with several nodes, fewer aggregators send fewer concurrent requests. `wanted` is
/// the user's number, or 0. Pure.
std::vector<std::uint64_t> aggregator_counts(PlanFacts const&, std::uint64_t wanted);

}  // namespace weir::array
