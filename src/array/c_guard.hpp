#pragma once

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <vector>

#include "array/description.hpp"
#include "array/plan.hpp"
#include "weir/array.h"

// What applications in C hold, and how exceptions become codes for them.

struct weir_array {
    weir::array::Description description;
};

struct weir_plan {
    std::optional<weir::array::Plan> plan{};  ///< nothing only while it is made
};

namespace weir::array {

inline int report(Failure const& failure, weir_error* error) {
    if (error != nullptr) {
        error->code = failure.code();
        error->rank = failure.rank();
        auto const length = std::min<std::size_t>(std::strlen(failure.what()), WEIR_MESSAGE_SIZE - 1);
        std::memcpy(error->message, failure.what(), length);
        error->message[length] = 0;
    }
    return failure.code();
}

/// Runs `work`, and turns what it throws into a code.
template <class Work>
int guarded(weir_error* error, Work work) {
    if (error != nullptr) {
        *error = weir_error{WEIR_OK, -1, {}};
    }
    try {
        work();
        return WEIR_OK;
    } catch (...) {
        return report(current_failure(), error);
    }
}

inline Plan& of(weir_plan* plan) {
    if (plan == nullptr) {
        throw Failure(WEIR_BAD_ARGUMENT,
                      "there is no plan (the pointer is null) Make one first, and look at its error.");
    }
    return *plan->plan;
}

/// Collective; throws as Plan does. `failure`: what went wrong on this rank before.
inline std::unique_ptr<weir_plan> made_plan(MPI_Comm comm, std::vector<Description> descriptions, char const* options,
                                            FirstFailure failure) {
    std::unique_ptr<weir_plan> made;
    failure.attempt([&] { made = std::make_unique<weir_plan>(); });
    // A rank that has no memory for a plan has none, but tells the others by it.
    std::optional<Plan> nowhere;
    auto& plan = made ? made->plan : nowhere;
    plan.emplace(comm, std::move(descriptions), options == nullptr ? "" : options, std::move(failure));
    return made;
}

/// A plan for a collective call: one that has no dump on its way. All ranks know of it alike.
inline Plan& idle(weir_plan* plan) {
    auto& p = of(plan);
    if (p.pending != nullptr) {
        throw Failure(
            WEIR_BAD_ARGUMENT,
            "the plan has a dump on its way (weir_write_start was called before) Complete it by weir_wait().");
    }
    return p;
}

}  // namespace weir::array
