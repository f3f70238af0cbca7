#pragma once

#include <cstdint>
#include <string>
#include <vector>

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

/// One line for users: the choice, and the numbers that decided.
std::string reason_for(PlanFacts const&, PlanOptions const&, Choice const&);

}  // namespace weir::array
