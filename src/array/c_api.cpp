// The C interface: exceptions become codes here, and nowhere else.

#include <algorithm>
#include <functional>

#include "array/c_guard.hpp"
#include "array/describe.hpp"
#include "array/dump.hpp"
#include "core/version.hpp"
#include "weir/array.h"

using weir::array::Description;
using weir::array::Failure;
using weir::array::FileLayout;
using weir::array::FirstFailure;
using weir::array::guarded;
using weir::array::idle;
using weir::array::Indices;
using weir::array::of;
using weir::array::Plan;
using weir::array::report;

namespace {

/// A description that fails is remembered in the array, so that a plan with it fails on all ranks.
template <class Describe>
int described(weir_array** array, weir_error* error, Describe describe) {
    if (array == nullptr) {
        return report(
            Failure(WEIR_BAD_ARGUMENT,
                    "there is nowhere to put the array (the pointer is null) Pass the address of a weir_array *."),
            error);
    }
    *array = new (std::nothrow) weir_array;
    if (*array == nullptr) {
        return report(Failure(WEIR_NO_MEMORY, "memory is used up"), error);
    }
    auto& target = (*array)->description;
    auto const code = guarded(error, [&] {
        try {
            target = describe();
        } catch (...) {
            target.failure = weir::array::current_failure();
            throw;
        }
    });
    return code;
}

/// Changes an array that has not failed yet.
template <class Change>
int changed(weir_array* array, weir_error* error, Change change) {
    return guarded(error, [&] {
        if (array == nullptr) {
            throw Failure(WEIR_BAD_ARGUMENT, "there is no array (the pointer is null) Describe one first.");
        }
        auto& description = array->description;
        if (description.failure) {
            throw *description.failure;
        }
        try {
            change(description);
        } catch (...) {
            description.failure = weir::array::current_failure();
            throw;
        }
    });
}

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

int weir_array_block(int dims, int64_t const shape[], int64_t const grid[], size_t element_bytes, weir_order order,
                     weir_array** array, weir_error* error) {
    return described(array, error,
                     [&] { return weir::array::describe_blocks(dims, shape, nullptr, grid, element_bytes, order); });
}

int weir_array_block_cyclic(int dims, int64_t const shape[], int64_t const block[], int64_t const grid[],
                            size_t element_bytes, weir_order order, weir_array** array, weir_error* error) {
    return described(array, error,
                     [&] { return weir::array::describe_blocks(dims, shape, block, grid, element_bytes, order); });
}

int weir_array_boxes(int dims, int64_t const shape[], int64_t boxes, int64_t const starts[], int64_t const counts[],
                     size_t element_bytes, weir_order order, weir_array** array, weir_error* error) {
    return described(array, error, [&] {
        return weir::array::describe_boxes(dims, shape, boxes, starts, counts, element_bytes, order);
    });
}

int weir_array_pieces(int64_t elements, int64_t pieces, int64_t const offsets[], int64_t const lengths[],
                      size_t element_bytes, weir_array** array, weir_error* error) {
    return described(array, error,
                     [&] { return weir::array::describe_pieces(elements, pieces, offsets, lengths, element_bytes); });
}

int weir_array_replicated(int64_t elements, size_t element_bytes, weir_array** array, weir_error* error) {
    return described(array, error, [&] { return weir::array::describe_replicated(elements, element_bytes); });
}

int weir_array_ghosts(weir_array* array, int64_t const before[], int64_t const after[], weir_error* error) {
    return changed(array, error, [&](Description& d) { weir::array::add_ghosts(d, before, after); });
}

int weir_array_memory_order(weir_array* array, weir_order order, weir_error* error) {
    return changed(array, error, [&](Description& d) { weir::array::set_memory_order(d, order); });
}

int weir_array_within(weir_array* array, int64_t const larger_shape[], int64_t const start[], weir_error* error) {
    return changed(array, error, [&](Description& d) { weir::array::put_within(d, larger_shape, start); });
}

int weir_array_local(weir_array const* array, int64_t rank, int64_t ranks, int64_t grid[], int64_t start[],
                     int64_t count[], int64_t* bytes, weir_error* error) {
    return guarded(error, [&] {
        if (array == nullptr) {
            throw Failure(WEIR_BAD_ARGUMENT, "there is no array (the pointer is null) Describe one first.");
        }
        auto const& d = array->description;
        if (d.failure) {
            throw *d.failure;
        }
        if (ranks < 1 || rank < 0 || rank >= ranks) {
            throw Failure(WEIR_BAD_ARGUMENT,
                          "there is no such rank (ranks count from 0) Pass a rank and the size of its communicator.");
        }
        weir::array::Place const place{static_cast<std::uint64_t>(rank), static_cast<std::uint64_t>(ranks)};
        auto const fill = [](std::int64_t* target, Indices const& values) {
            if (target != nullptr) {
                std::ranges::copy(values, target);
            }
        };
        if (d.distribution == weir::array::Distribution::blocks) {
            fill(grid, weir::array::grid_of(d, place.ranks));
            auto const [first, n] = weir::array::local_block(d, place);
            fill(start, first);
            fill(count, n);
        } else if (grid != nullptr || start != nullptr || count != nullptr) {
            throw Failure(WEIR_BAD_ARGUMENT,
                          "the array has no grid of ranks (it is not distributed in blocks) Pass null for grid, start "
                          "and count.");
        }
        if (bytes != nullptr) {
            *bytes = static_cast<std::int64_t>(weir::array::local_bytes(d, place));
        }
    });
}

void weir_array_free(weir_array* array) { delete array; }

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
        auto made = std::unique_ptr<weir_plan>(
            new weir_plan{Plan(comm, std::move(descriptions), options == nullptr ? "" : options, std::move(failure))});
        *plan = made.release();
    });
}

int weir_plan_make_f(MPI_Fint comm, int arrays, weir_array* const array[], char const* options, weir_plan** plan,
                     weir_error* error) {
    return weir_plan_make(MPI_Comm_f2c(comm), arrays, array, options, plan, error);
}

char const* weir_plan_explain(weir_plan const* plan) { return plan == nullptr ? "" : plan->plan.explain().c_str(); }

int64_t weir_plan_memory(weir_plan const* plan) {
    return plan == nullptr ? 0 : static_cast<std::int64_t>(plan->plan.memory_bytes());
}

int64_t weir_plan_file_bytes(weir_plan const* plan) {
    return plan == nullptr ? 0 : static_cast<std::int64_t>(plan->plan.file_bytes());
}

int weir_plan_times(weir_plan const* plan, weir_times* times) {
    if (plan == nullptr || times == nullptr) {
        return WEIR_BAD_ARGUMENT;
    }
    *times = plan->plan.times;
    return WEIR_OK;
}

void weir_plan_free(weir_plan* plan) {
    if (plan != nullptr && plan->plan.pending != nullptr) {
        plan->plan.finish();
    }
    delete plan;
}

namespace {

std::vector<std::int64_t> copied(Plan const& plan, std::int64_t const* offsets) {
    // Null is found on all ranks together, as a place that is none.
    return offsets == nullptr ? std::vector<std::int64_t>(plan.arrays().descriptions.size(), -1)
                              : std::vector<std::int64_t>(offsets, offsets + plan.arrays().descriptions.size());
}

std::vector<std::int64_t> in_a_row(Plan const& plan, std::int64_t offset) {
    return weir::array::FileMap::one_after_the_other(plan.arrays(), offset);
}

/// Null is what the elements are: one number each.
std::vector<std::int64_t> numbers_of(Plan const& plan, int const* number_bytes) {
    std::vector<std::int64_t> numbers;
    for (std::size_t i = 0; i < plan.arrays().descriptions.size(); ++i) {
        auto const element = static_cast<std::int64_t>(plan.arrays().descriptions[i].element_bytes);
        numbers.push_back(number_bytes == nullptr ? element : number_bytes[i]);
    }
    if (std::ranges::all_of(numbers, [](auto number) { return number == 1; })) {
        numbers.clear();
    }
    return numbers;
}

void write_now(Plan& plan, char const* path, FileLayout const& layout, void* const* buffers) {
    weir::array::WriteDump(plan, path, layout, buffers, weir::array::Waiting::here).complete();
}

}  // namespace

int weir_write(weir_plan* plan, char const* path, int64_t offset, void* const buffers[], weir_error* error) {
    return guarded(error, [&] { write_now(idle(plan), path, {in_a_row(of(plan), offset)}, buffers); });
}

int weir_write_at(weir_plan* plan, char const* path, int64_t const offsets[], void* const buffers[],
                  weir_error* error) {
    return guarded(error, [&] { write_now(idle(plan), path, {copied(of(plan), offsets)}, buffers); });
}

int weir_read(weir_plan* plan, char const* path, int64_t offset, void* const buffers[], weir_error* error) {
    return guarded(error, [&] { weir::array::read_file(idle(plan), path, {in_a_row(of(plan), offset)}, buffers); });
}

int weir_read_at(weir_plan* plan, char const* path, int64_t const offsets[], void* const buffers[], weir_error* error) {
    return guarded(error, [&] { weir::array::read_file(idle(plan), path, {copied(of(plan), offsets)}, buffers); });
}

int weir_write_swapped(weir_plan* plan, char const* path, int64_t const offsets[], int const number_bytes[],
                       void* const buffers[], weir_error* error) {
    return guarded(error, [&] {
        auto const& p = of(plan);
        write_now(idle(plan), path, {copied(p, offsets), numbers_of(p, number_bytes)}, buffers);
    });
}

int weir_read_swapped(weir_plan* plan, char const* path, int64_t const offsets[], int const number_bytes[],
                      void* const buffers[], weir_error* error) {
    return guarded(error, [&] {
        auto const& p = of(plan);
        weir::array::read_file(idle(plan), path, {copied(p, offsets), numbers_of(p, number_bytes)}, buffers);
    });
}

int weir_write_target(weir_plan* plan, weir_target const* target, void* const buffers[], weir_error* error) {
    return guarded(error, [&] { weir::array::write_target(idle(plan), target, buffers); });
}

int weir_read_target(weir_plan* plan, weir_target const* target, void* const buffers[], weir_error* error) {
    return guarded(error, [&] { weir::array::read_target(idle(plan), target, buffers); });
}

int weir_redistribute(weir_plan* from, void* const source[], weir_plan* to, void* const target[], weir_error* error) {
    return guarded(error, [&] { weir::array::redistribute(idle(from), source, idle(to), target); });
}

struct weir_request {
    weir::array::WriteDump dump;
};

int weir_write_start(weir_plan* plan, char const* path, int64_t offset, void* const buffers[], weir_request** request,
                     weir_error* error) {
    return guarded(error, [&] {
        if (request != nullptr) {
            *request = nullptr;
        }
        auto& p = idle(plan);
        FirstFailure failure;
        failure.attempt([&] {
            if (request == nullptr) {
                throw Failure(
                    WEIR_BAD_ARGUMENT,
                    "there is nowhere to put the request (the pointer is null) Pass the address of a weir_request *.");
            }
        });
        *request = new weir_request{{p, path, {in_a_row(p, offset)}, buffers, weir::array::Waiting::later, failure}};
        p.pending = &(*request)->dump;
    });
}

int weir_test(weir_request const* request) { return request == nullptr || request->dump.written() ? 1 : 0; }

int weir_wait(weir_request* request, weir_error* error) {
    return guarded(error, [&] {
        std::unique_ptr<weir_request> const ended(request);
        if (ended) {
            ended->dump.plan().pending = nullptr;
            ended->dump.complete();
        }
    });
}

char const* weir_code_text(int code) {
    switch (code) {
        case WEIR_OK:
            return "fine";
        case WEIR_BAD_ARGUMENT:
            return "bad argument";
        case WEIR_DISAGREE:
            return "ranks disagree";
        case WEIR_OVERLAP:
            return "overlap";
        case WEIR_HOLES:
            return "holes";
        case WEIR_OTHER_COMM:
            return "another communicator";
        case WEIR_IO:
            return "file system error";
        case WEIR_SHORT_FILE:
            return "file too short";
        case WEIR_CHECKSUM:
            return "checksum mismatch";
        case WEIR_NO_MEMORY:
            return "no memory";
        case WEIR_MPI:
            return "MPI error";
        case WEIR_INTERNAL:
            return "a defect of Weir";
        default:
            return "unknown code";
    }
}

char const* weir_version() { return weir::version; }
