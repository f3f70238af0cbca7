#pragma once

#include <cstdint>
#include <vector>

#include "array/planner/plan_facts.hpp"

namespace weir::array {

/// How many of `count` there are on the node that has most of them.
std::uint64_t per_node(PlanFacts const&, std::uint64_t count);

/// Is there one node, with a file system of its own, as far as anybody knows?
bool alone(PlanFacts const&);

/// The numbers of aggregators to choose from, the one to take first where it makes no difference. On one node a further
/// one costs nothing but its windows, and shares the copying; from several nodes, fewer requests come at once.
/// `wanted` is the number that the user asked for, or 0. Pure.
std::vector<std::uint64_t> aggregator_counts(PlanFacts const&, std::uint64_t wanted);

}  // namespace weir::array
