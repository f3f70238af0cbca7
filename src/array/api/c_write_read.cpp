// The C interface: writing and reading.

#include <algorithm>

#include "array/api/c_guard.hpp"
#include "array/api/dump.hpp"

using weir::fail;
using weir::FirstFailure;
using weir::guarded;
using weir::array::FileLayout;
using weir::array::idle;
using weir::array::Plan;
using weir::array::Use;

namespace {

// File layouts from a call's arguments. Local.

auto packed_from(std::int64_t offset) {
    return
        [offset](Plan const& plan) { return FileLayout{weir::array::FileMap::packed_offsets(plan.arrays(), offset)}; };
}

auto at_offsets(std::int64_t const* offsets) {
    return [offsets](Plan const& plan) {
        auto const arrays = plan.arrays().descriptions.size();
        // Null becomes an offset that check_place() refuses, so that all ranks agree on it.
        return FileLayout{offsets == nullptr ? std::vector<std::int64_t>(arrays, -1)
                                             : std::vector<std::int64_t>(offsets, offsets + arrays)};
    };
}

/// Null: each element is one number.
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

auto swapped(std::int64_t const* offsets, int const* number_bytes) {
    return [offsets, number_bytes](Plan const& plan) {
        return FileLayout{at_offsets(offsets)(plan).offsets, numbers_of(plan, number_bytes)};
    };
}

/// Calls `transfer` with the plan, the layout, and the failure of making it, on which all ranks must agree.
template <class Layout, class Transfer>
int transfer_now(weir_plan* plan, Layout layout, weir_error* error, Transfer transfer) {
    return guarded(error, [&] {
        auto& p = idle(plan);
        FirstFailure failure;
        FileLayout made;
        failure.attempt([&] { made = layout(p); });
        transfer(p, made, failure);
    });
}

template <class Layout>
int write_now(weir_plan* plan, char const* path, Layout layout, void* const* buffers, weir_error* error) {
    return transfer_now(plan, layout, error, [&](Plan& p, FileLayout const& made, FirstFailure const& failure) {
        weir::array::WriteDump(p, path, made, buffers, weir::array::Waiting::here, failure).complete();
    });
}

template <class Layout>
int read_now(weir_plan* plan, char const* path, Layout layout, void* const* buffers, weir_error* error) {
    return transfer_now(plan, layout, error, [&](Plan& p, FileLayout const& made, FirstFailure& failure) {
        weir::array::read_file(p, path, made, buffers, std::move(failure));
    });
}

}  // namespace

int weir_write(weir_plan* plan, char const* path, int64_t offset, void* const buffers[], weir_error* error) {
    return write_now(plan, path, packed_from(offset), buffers, error);
}

int weir_write_at(weir_plan* plan, char const* path, int64_t const offsets[], void* const buffers[],
                  weir_error* error) {
    return write_now(plan, path, at_offsets(offsets), buffers, error);
}

int weir_write_swapped(weir_plan* plan, char const* path, int64_t const offsets[], int const number_bytes[],
                       void* const buffers[], weir_error* error) {
    return write_now(plan, path, swapped(offsets, number_bytes), buffers, error);
}

int weir_read(weir_plan* plan, char const* path, int64_t offset, void* const buffers[], weir_error* error) {
    return read_now(plan, path, packed_from(offset), buffers, error);
}

int weir_read_at(weir_plan* plan, char const* path, int64_t const offsets[], void* const buffers[], weir_error* error) {
    return read_now(plan, path, at_offsets(offsets), buffers, error);
}

int weir_read_swapped(weir_plan* plan, char const* path, int64_t const offsets[], int const number_bytes[],
                      void* const buffers[], weir_error* error) {
    return read_now(plan, path, swapped(offsets, number_bytes), buffers, error);
}

int weir_write_target(weir_plan* plan, weir_target const* target, void* const buffers[], weir_error* error) {
    return guarded(error, [&] { move_through_target(idle(plan), Use::write, target, buffers); });
}

int weir_read_target(weir_plan* plan, weir_target const* target, void* const buffers[], weir_error* error) {
    return guarded(error, [&] { move_through_target(idle(plan), Use::read, target, buffers); });
}

int weir_redistribute(weir_plan* from, void* const source[], weir_plan* to, void* const target[], weir_error* error) {
    return guarded(error, [&] { weir::array::redistribute(idle(from), source, idle(to), target); });
}

struct weir_request {
    std::optional<weir::array::WriteDump> dump{};  ///< empty only until it is started
};

int weir_write_start(weir_plan* plan, char const* path, int64_t offset, void* const buffers[], weir_request** request,
                     weir_error* error) {
    return guarded(error, [&] {
        if (request != nullptr) {
            *request = nullptr;
        }
        auto& p = idle(plan);
        FirstFailure failure;
        std::unique_ptr<weir_request> made;
        FileLayout layout;
        failure.attempt([&] {
            if (request == nullptr) {
                fail(WEIR_BAD_ARGUMENT, "there is nowhere to put the request", "the pointer is null",
                     "Pass the address of a weir_request *.");
            }
            layout = packed_from(offset)(p);
            made = std::make_unique<weir_request>();
        });
        // A rank that failed still takes part in the agreement, through this constructor.
        std::optional<weir::array::WriteDump> nowhere;
        auto& dump = made ? made->dump : nowhere;
        dump.emplace(p, path, layout, buffers, weir::array::Waiting::later, failure);
        *request = made.release();
        p.pending = &*(*request)->dump;
    });
}

int weir_test(weir_request const* request) { return request == nullptr || request->dump->written() ? 1 : 0; }

int weir_wait(weir_request* request, weir_error* error) {
    return guarded(error, [&] {
        std::unique_ptr<weir_request> const ended(request);
        if (ended) {
            ended->dump->complete();
        }
    });
}
