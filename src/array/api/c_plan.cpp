// The C interface: plans.

#include <algorithm>
#include <array>

#include "array/api/c_guard.hpp"
#include "array/api/dump.hpp"
#include "core/option_facts.hpp"
#include "core/version.hpp"

using weir::fail;
using weir::FirstFailure;
using weir::guarded;
using weir::array::Description;

namespace {

void need_mpi() {
    int initialized = 0;
    int finalized = 0;
    MPI_Initialized(&initialized);
    MPI_Finalized(&finalized);
    if (initialized == 0 || finalized != 0) {
        fail(WEIR_MPI, "MPI does not run", "MPI_Init has not been called, or MPI_Finalize has",
             "Make plans between the two.");
    }
}

void need_ranks(MPI_Comm comm) {
    int between_groups = 0;
    if (comm != MPI_COMM_NULL) {
        MPI_Comm_test_inter(comm, &between_groups);
    }
    if (comm == MPI_COMM_NULL || between_groups != 0) {
        fail(WEIR_BAD_ARGUMENT, "a plan needs ranks", "the communicator is null, or joins two groups",
             "Pass an intracommunicator.");
    }
}

}  // namespace

int weir_plan_make(MPI_Comm comm, int arrays, weir_array* const array[], char const* options, weir_plan** plan,
                   weir_error* error) {
    return guarded(error, [&] {
        need_mpi();
        need_ranks(comm);
        FirstFailure failure;
        std::vector<Description> descriptions;
        failure.attempt([&] {
            if (plan == nullptr || arrays < 1 || array == nullptr) {
                fail(WEIR_BAD_ARGUMENT, "a plan needs arrays, and a place to be put",
                     "a pointer is null, or the number is not positive", "Pass at least one array.");
            }
            for (int i = 0; i < arrays; ++i) {
                if (array[i] == nullptr) {
                    fail(WEIR_BAD_ARGUMENT, "an array of the plan is null", "its description failed, or was never made",
                         "Describe it first.");
                }
                if (array[i]->description.failure) {
                    throw *array[i]->description.failure;
                }
                descriptions.push_back(array[i]->description);
            }
        });
        if (plan != nullptr) {
            *plan = nullptr;
        }
        auto made = weir::array::made_plan(comm, std::move(descriptions), options, std::move(failure));
        *plan = made.release();
    });
}

int weir_plan_make_f(MPI_Fint comm, int arrays, weir_array* const array[], char const* options, weir_plan** plan,
                     weir_error* error) {
    return weir_plan_make(MPI_Comm_f2c(comm), arrays, array, options, plan, error);
}

char const* weir_plan_explain(weir_plan const* plan) { return plan == nullptr ? "" : plan->plan->explain().c_str(); }

int64_t weir_plan_memory(weir_plan const* plan) {
    return plan == nullptr ? 0 : static_cast<std::int64_t>(plan->plan->memory_bytes());
}

int64_t weir_plan_file_bytes(weir_plan const* plan) {
    return plan == nullptr ? 0 : static_cast<std::int64_t>(plan->plan->file_bytes());
}

int weir_plan_times(weir_plan const* plan, weir_times* times) {
    if (plan == nullptr || times == nullptr) {
        return WEIR_BAD_ARGUMENT;
    }
    *times = plan->plan->times;
    return WEIR_OK;
}

void weir_plan_free(weir_plan* plan) {
    if (plan != nullptr && plan->plan->pending != nullptr) {
        plan->plan->pending->abandon();
    }
    delete plan;
}

// For libraries built on this one.

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
                fail(WEIR_BAD_ARGUMENT, "there is nowhere to put the plan", "the pointer is null",
                     "Pass the address of a weir_plan *.");
            }
            *other = nullptr;
            descriptions = p.descriptions();
            all = weir::array::overridden(p.options_text(), options == nullptr ? "" : options);
        });
        auto made = weir::array::made_plan(p.comm().handle(), std::move(descriptions), all.c_str(), std::move(failure));
        *other = made.release();
    });
}

char const* weir_code_text(int code) {
    constexpr std::array texts{"fine",
                               "bad argument",
                               "ranks disagree",
                               "overlap",
                               "holes",
                               "another communicator",
                               "file system error",
                               "file too short",
                               "checksum mismatch",
                               "no memory",
                               "MPI error",
                               "a defect of Weir"};
    return code < 0 || code >= std::ssize(texts) ? "unknown code" : texts[static_cast<std::size_t>(code)];
}

char const* weir_version() { return weir::version; }
