#pragma once

#include <cstdint>
#include <string>
#include <vector>

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
