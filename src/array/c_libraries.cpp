// The part of the C interface that is for libraries on top of it.

#include "array/c_guard.hpp"
#include "core/option_facts.hpp"

using weir::array::Description;
using weir::array::Failure;
using weir::array::FirstFailure;
using weir::array::guarded;

int weir_plan_arrays(weir_plan const* plan) {
    return plan == nullptr ? 0 : static_cast<int>(plan->plan->arrays().descriptions.size());
}

MPI_Comm weir_plan_comm(weir_plan const* plan) { return plan == nullptr ? MPI_COMM_NULL : plan->plan->comm().handle(); }

int weir_plan_array(weir_plan const* plan, int array, weir_file_array* what) {
    if (what == nullptr || array < 0 || array >= weir_plan_arrays(plan)) {
        return WEIR_BAD_ARGUMENT;
    }
    auto const& d = plan->plan->arrays().descriptions[static_cast<std::size_t>(array)];
    *what = {static_cast<int>(d.shape.size()), {}, {}, {}, d.element_bytes, d.order};
    std::ranges::copy(d.shape, what->shape);
    std::ranges::copy(d.larger_start, what->start);
    std::ranges::copy(d.larger_shape.empty() ? d.shape : d.larger_shape, what->larger);
    return WEIR_OK;
}

int weir_plan_has(weir_plan const* plan, char const* option) {
    if (plan == nullptr || option == nullptr) {
        return 0;
    }
    auto options = plan->plan->options();
    weir::OptionSet set;
    options.declare(set);
    return std::ranges::any_of(set.options(), [&](weir::Option const& o) {
        return o.name == option && o.type == weir::OptionType::boolean && o.get().get<bool>();
    });
}

int weir_plan_alike(weir_plan* plan, char const* options, weir_plan** other, weir_error* error) {
    return guarded(error, [&] {
        FirstFailure failure;
        std::vector<Description> descriptions;
        std::string all;
        auto const& p = weir::array::idle(plan);
        failure.attempt([&] {
            if (other == nullptr) {
                throw Failure(WEIR_BAD_ARGUMENT,
                              "there is nowhere to put the plan (the pointer is null) Pass the address of a "
                              "weir_plan *.");
            }
            *other = nullptr;
            descriptions = p.descriptions();
            all = p.options_text() + " " + (options == nullptr ? "" : options);
        });
        auto made = weir::array::made_plan(p.comm().handle(), std::move(descriptions), all.c_str(), std::move(failure));
        *other = made.release();
    });
}
