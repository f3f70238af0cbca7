// The C interface: how arrays are distributed.

#include <fmt/format.h>

#include <algorithm>

#include "array/api/c_guard.hpp"

using weir::attempted;
using weir::fail;
using weir::guarded;
using weir::array::Description;
using weir::array::Indices;

namespace {

/// A description without an earlier error.
Description& good(weir_array* array) {
    if (array == nullptr) {
        fail(WEIR_BAD_ARGUMENT, "there is no array", "the pointer is null", "Describe one first.");
    }
    if (array->description.failure) {
        throw *array->description.failure;
    }
    return array->description;
}

/// Changes a description. A failed one keeps its error, so that making a plan with it fails on all ranks.
template <class Change>
void change(Description& description, Change how) {
    description.failure = attempted([&] { how(description); });
    if (description.failure) {
        throw *description.failure;
    }
}

template <class Describe>
int described(weir_array** array, weir_error* error, Describe describe) {
    return guarded(error, [&] {
        if (array == nullptr) {
            fail(WEIR_BAD_ARGUMENT, "there is nowhere to put the array", "the pointer is null",
                 "Pass the address of a weir_array *.");
        }
        *array = nullptr;
        *array = new weir_array;
        change((*array)->description, [&](Description& d) { d = describe(); });
    });
}

template <class Change>
int changed(weir_array* array, weir_error* error, Change how) {
    return guarded(error, [&] { change(good(array), how); });
}

weir_order order_of(int order) {
    if (order != WEIR_C_ORDER && order != WEIR_FORTRAN_ORDER) {
        fail(WEIR_BAD_ARGUMENT, fmt::format("{} is no order", order), "it is WEIR_C_ORDER or WEIR_FORTRAN_ORDER",
             "Pass one of them.");
    }
    return static_cast<weir_order>(order);
}

}  // namespace

int weir_array_block(int dims, int64_t const shape[], int64_t const grid[], size_t element_bytes, int order,
                     weir_array** array, weir_error* error) {
    return described(array, error, [&] {
        return weir::array::describe_blocks(dims, shape, nullptr, grid, element_bytes, order_of(order));
    });
}

int weir_array_block_cyclic(int dims, int64_t const shape[], int64_t const block[], int64_t const grid[],
                            size_t element_bytes, int order, weir_array** array, weir_error* error) {
    return described(array, error, [&] {
        return weir::array::describe_blocks(dims, shape, block, grid, element_bytes, order_of(order));
    });
}

int weir_array_boxes(int dims, int64_t const shape[], int64_t boxes, int64_t const starts[], int64_t const counts[],
                     size_t element_bytes, int order, weir_array** array, weir_error* error) {
    return described(array, error, [&] {
        return weir::array::describe_boxes(dims, shape, boxes, starts, counts, element_bytes, order_of(order));
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

int weir_array_alike(weir_array const* other, size_t element_bytes, weir_array** array, weir_error* error) {
    return described(array, error,
                     [&] { return weir::array::describe_alike(good(const_cast<weir_array*>(other)), element_bytes); });
}

int weir_array_ghosts(weir_array* array, int64_t const before[], int64_t const after[], weir_error* error) {
    return changed(array, error, [&](Description& d) { weir::array::add_ghosts(d, before, after); });
}

int weir_array_memory_order(weir_array* array, int order, weir_error* error) {
    return changed(array, error, [&](Description& d) { d.memory_order = order_of(order); });
}

int weir_array_within(weir_array* array, int64_t const larger_shape[], int64_t const start[], weir_error* error) {
    return changed(array, error, [&](Description& d) { weir::array::put_within(d, larger_shape, start); });
}

int weir_array_fill_value(weir_array* array, void const* value, weir_error* error) {
    return changed(array, error, [&](Description& d) {
        if (value == nullptr) {
            fail(WEIR_BAD_ARGUMENT, "there is no fill value", "the pointer is null", "Pass the address of an element.");
        }
        auto const* first = static_cast<std::byte const*>(value);
        d.fill.assign(first, first + d.element_bytes);
    });
}

int weir_array_local(weir_array const* array, int64_t rank, int64_t ranks, int64_t grid[], int64_t start[],
                     int64_t count[], int64_t* bytes, weir_error* error) {
    return guarded(error, [&] {
        auto const& d = good(const_cast<weir_array*>(array));
        if (ranks < 1 || rank < 0 || rank >= ranks) {
            fail(WEIR_BAD_ARGUMENT, "there is no such rank", "ranks count from 0",
                 "Pass a rank and the size of its communicator.");
        }
        weir::array::CommRank const place{static_cast<std::uint64_t>(rank), static_cast<std::uint64_t>(ranks)};
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
            fail(WEIR_BAD_ARGUMENT, "the array has no grid of ranks", "it is not distributed in blocks",
                 "Pass null for grid, start and count.");
        }
        if (bytes != nullptr) {
            *bytes = static_cast<std::int64_t>(weir::array::local_bytes(d, place));
        }
    });
}

void weir_array_free(weir_array* array) { delete array; }
