#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "array/api/plan.hpp"

// What applications in C hold.

struct weir_array {
    weir::array::Description description;
};

struct weir_plan {
    std::optional<weir::array::Plan> plan{};  ///< nothing only while it is made
};

namespace weir::array {

/// Collective; throws as Plan does. `failure`: what went wrong on this rank before.
inline std::unique_ptr<weir_plan> made_plan(MPI_Comm comm, std::vector<Description> descriptions, char const* options,
                                            FirstFailure failure) {
    std::unique_ptr<weir_plan> made;
    PlanOptions parsed;
    std::string text;
    failure.attempt([&] {
        made = std::make_unique<weir_plan>();
        text = options == nullptr ? "" : options;
        parsed = parse_options(text);
    });
    // A rank that has no memory for a plan takes part in the agreement by it.
    std::optional<Plan> nowhere;
    auto& plan = made ? made->plan : nowhere;
    plan.emplace(comm, std::move(descriptions), std::move(parsed), std::move(text), std::move(failure));
    return made;
}

/// A plan for a collective call: one that has no dump in progress. All ranks know of it alike.
inline Plan& idle(weir_plan* plan) {
    if (plan == nullptr) {
        fail(WEIR_BAD_ARGUMENT, "there is no plan", "the pointer is null", "Make one first, and look at its error.");
    }
    if (plan->plan->pending != nullptr) {
        fail(WEIR_BAD_ARGUMENT, "the plan has a dump in progress", "weir_write_start was called before",
             "Complete it by weir_wait().");
    }
    return *plan->plan;
}

}  // namespace weir::array
