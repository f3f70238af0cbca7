// The C interface: plans.

#include "array/c_guard.hpp"
#include "array/dump.hpp"
#include "weir/array.h"

using weir::array::Description;
using weir::array::Failure;
using weir::array::FirstFailure;
using weir::array::guarded;

namespace {

void need_mpi() {
    int initialized = 0;
    int finalized = 0;
    MPI_Initialized(&initialized);
    MPI_Finalized(&finalized);
    if (initialized == 0 || finalized != 0) {
        throw Failure(
            WEIR_MPI,
            "MPI does not run (MPI_Init has not been called, or MPI_Finalize has) Make plans between the two.");
    }
}

void need_ranks(MPI_Comm comm) {
    int between_groups = 0;
    if (comm != MPI_COMM_NULL) {
        MPI_Comm_test_inter(comm, &between_groups);
    }
    if (comm == MPI_COMM_NULL || between_groups != 0) {
        throw Failure(WEIR_BAD_ARGUMENT,
                      "a plan needs ranks (the communicator is null, or joins two groups) Pass an intracommunicator.");
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
                throw Failure(WEIR_BAD_ARGUMENT,
                              "a plan needs arrays, and a place to be put (a pointer is null, or the number is not "
                              "positive) Pass at least one array.");
            }
            for (int i = 0; i < arrays; ++i) {
                if (array[i] == nullptr) {
                    throw Failure(
                        WEIR_BAD_ARGUMENT,
                        "an array of the plan is null (its description failed, or was never made) Describe it first.");
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
