#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "array/api/plan.hpp"

// The objects behind the handles of C applications.

struct weir_array {
    weir::array::Description description;
};

struct weir_plan {
    std::optional<weir::array::Plan> plan{};  ///< empty only until it is made
};

namespace weir::array {

/// Collective; throws as Plan does. `failure`: an earlier failure on this rank.
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
    // A rank without memory for a plan still takes part in the agreement.
    std::optional<Plan> nowhere;
    auto& plan = made ? made->plan : nowhere;
    plan.emplace(comm, std::move(descriptions), std::move(parsed), std::move(text), std::move(failure));
    return made;
}

/// A plan for a collective call: one without a dump in progress. All ranks see the same state.
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
