#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "array/planner/cost_model.hpp"
#include "array/planner/plan_options.hpp"

namespace weir::array {

/// The planner's choice, and its reason.
struct Choice {
    Strategy write, read;
    bool rows = false;  ///< exchange within rows of the process grid
    std::uint64_t group = 1;
    std::uint64_t window = 1;
    std::uint64_t slots = 2;
    std::uint64_t align = 1;
    std::string why{};
};

/// Chooses by cost what the user left open. Pure: the same on every rank with the same facts.
Choice choose(PlanFacts const&, PlanOptions const&);

/// The strategies that the options allow, the cheapest first; of equal cost, the simplest first.
std::vector<Strategy> strategies_by_cost(PlanFacts const&, PlanOptions const&, Use);

/// The choice of these two strategies, without a reason.
Choice choice_of(PlanFacts const&, PlanOptions const&, Strategy const& write, Strategy const& read);

/// The window size with which a choice whose buffers take `buffers` bytes fits into `allowed`: its own if that fits, or
/// if smaller ones would save nothing.
std::uint64_t window_within(Choice const&, std::uint64_t allowed, std::uint64_t buffers);

/// Sizes from the options, or suited to the machine, before the limit on memory.
Sizes sizes_of(PlanFacts const&, PlanOptions const&);

/// The least window that is made of a smaller one that was asked for: with all bytes in at most 65,536 windows, at most
/// a page. A window costs more than a page of bytes does.
std::uint64_t least_window(PlanFacts const&);

/// One line for users: the choice, and the numbers that decided.
std::string reason_for(PlanFacts const&, PlanOptions const&, Choice const&);

}  // namespace weir::array
