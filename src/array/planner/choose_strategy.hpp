#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "array/planner/cost.hpp"
#include "array/planner/plan_facts.hpp"
#include "array/planner/plan_options.hpp"

namespace weir::array {

/// What the planner picks, and why.
struct Choice {
    Strategy write, read;
    bool rows = false;  ///< exchange within rows of the process grid
    std::uint64_t group = 1;
    std::uint64_t window = 1;
    std::uint64_t slots = 2;
    std::uint64_t align = 1;
    std::string why{};
};

/// Fills what the user left open, by what the strategies cost. Pure: the same on every rank that has the same facts.
Choice choose(PlanFacts const&, PlanOptions const&);

/// The strategies that the options leave open, the cheapest first; of those that cost the same, the simplest.
std::vector<Strategy> strategies_by_cost(PlanFacts const&, PlanOptions const&, Use);

/// The choice of these two strategies, without a reason.
Choice choice_of(PlanFacts const&, PlanOptions const&, Strategy const& write, Strategy const& read);

/// The window to take where the choice's makes buffers of so many bytes, and so many are allowed: its own where that
/// suffices, or where smaller ones would save nothing.
std::uint64_t window_within(Choice const&, std::uint64_t allowed, std::uint64_t buffers);

/// Sizes as the options have them, or as suits the machine, before memory bounds them.
Sizes sizes_of(PlanFacts const&, PlanOptions const&);

/// One line for people: what was chosen, and the numbers that decided.
std::string reason_for(PlanFacts const&, PlanOptions const&, Choice const&);

}  // namespace weir::array
