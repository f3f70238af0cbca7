#pragma once

#include <cstddef>
#include <memory>
#include <utility>

#include "weir/array/indices.hpp"

namespace weir::io {

/// A rank's part of an array. For boxes, pieces and replicated arrays only `bytes` is set; the lists are empty.
struct Local {
    Indices grid;            ///< ranks along each dimension
    Indices start;           ///< the first index along each dimension
    Indices count;           ///< elements along each dimension, without ghosts
    std::int64_t bytes = 0;  ///< of the local array, ghosts included
};

struct Box {
    Indices start;
    Indices count;
};

namespace detail {

struct FreeArray {
    void operator()(weir_array* array) const { weir_array_free(array); }
};

}  // namespace detail

/// How one array is distributed. Local; can be moved, not copied. Lists of a wrong length throw at once.
class Array {
  public:
    static Array block(Indices const& shape, std::size_t element_bytes, Indices const& grid = {},
                       weir_order order = WEIR_C_ORDER) {
        check_optional("grid", grid, shape);
        weir_array* made = nullptr;
        weir_array_block(dims(shape), shape.data(), detail::or_null(grid), element_bytes, order, &made, nullptr);
        return {made, shape.size(), true};
    }

    static Array block_cyclic(Indices const& shape, Indices const& block, std::size_t element_bytes,
                              Indices const& grid = {}, weir_order order = WEIR_C_ORDER) {
        detail::check_dims("block", block, shape.size());
        check_optional("grid", grid, shape);
        weir_array* made = nullptr;
        weir_array_block_cyclic(dims(shape), shape.data(), block.data(), detail::or_null(grid), element_bytes, order,
                                &made, nullptr);
        return {made, shape.size(), true};
    }

    static Array boxes(Indices const& shape, std::vector<Box> const& boxes, std::size_t element_bytes,
                       weir_order order = WEIR_C_ORDER) {
        Indices starts;
        Indices counts;
        for (auto const& box : boxes) {
            detail::check_dims("a box's start", box.start, shape.size());
            detail::check_dims("a box's count", box.count, shape.size());
            starts.insert(starts.end(), box.start.begin(), box.start.end());
            counts.insert(counts.end(), box.count.begin(), box.count.end());
        }
        weir_array* made = nullptr;
        weir_array_boxes(dims(shape), shape.data(), static_cast<std::int64_t>(boxes.size()), starts.data(),
                         counts.data(), element_bytes, order, &made, nullptr);
        return {made, shape.size(), false};
    }

    /// `lengths` empty: one element each.
    static Array pieces(std::int64_t elements, Indices const& offsets, Indices const& lengths,
                        std::size_t element_bytes) {
        if (!lengths.empty() && lengths.size() != offsets.size()) {
            throw Error(WEIR_BAD_ARGUMENT,
                        std::to_string(offsets.size()) + " pieces have " + std::to_string(lengths.size()) + " lengths");
        }
        weir_array* made = nullptr;
        weir_array_pieces(elements, static_cast<std::int64_t>(offsets.size()), offsets.data(), detail::or_null(lengths),
                          element_bytes, &made, nullptr);
        return {made, 1, false};
    }

    static Array replicated(std::int64_t elements, std::size_t element_bytes) {
        weir_array* made = nullptr;
        weir_array_replicated(elements, element_bytes, &made, nullptr);
        return {made, 1, false};
    }

    /// Another array distributed as this one, with elements of another size: of pieces, both have one list.
    [[nodiscard]] Array alike(std::size_t element_bytes) const {
        weir_array* made = nullptr;
        weir_array_alike(handle_.get(), element_bytes, &made, nullptr);
        return {made, dims_, blocks_};
    }

    Array& ghosts(Indices const& before, Indices const& after) & {
        detail::check_dims("ghosts before", before, dims_);
        detail::check_dims("ghosts after", after, dims_);
        weir_array_ghosts(handle_.get(), before.data(), after.data(), nullptr);
        return *this;
    }
    Array ghosts(Indices const& before, Indices const& after) && { return std::move(ghosts(before, after)); }

    Array& memory_order(weir_order order) & {
        weir_array_memory_order(handle_.get(), order, nullptr);
        return *this;
    }
    Array memory_order(weir_order order) && { return std::move(memory_order(order)); }

    /// A copy of an element, which option holes=fill writes where no rank holds one.
    Array& fill_value(void const* value) & {
        weir_array_fill_value(handle_.get(), value, nullptr);
        return *this;
    }
    Array fill_value(void const* value) && { return std::move(fill_value(value)); }

    Array& within(Indices const& larger_shape, Indices const& start) & {
        detail::check_dims("the larger shape", larger_shape, dims_);
        detail::check_dims("the start within it", start, dims_);
        weir_array_within(handle_.get(), larger_shape.data(), start.data(), nullptr);
        return *this;
    }
    Array within(Indices const& larger_shape, Indices const& start) && {
        return std::move(within(larger_shape, start));
    }

    [[nodiscard]] Local local(std::int64_t rank, std::int64_t ranks) const {
        Local held;
        for (auto* list : {&held.grid, &held.start, &held.count}) {
            list->resize(blocks_ ? dims_ : 0);
        }
        weir_error error{};
        detail::check(weir_array_local(handle_.get(), rank, ranks, detail::or_null(held.grid),
                                       detail::or_null(held.start), detail::or_null(held.count), &held.bytes, &error),
                      error);
        return held;
    }

    /// The part of this rank of the communicator.
    [[nodiscard]] Local local(MPI_Comm comm) const {
        int rank = 0;
        int ranks = 0;
        MPI_Comm_rank(comm, &rank);
        MPI_Comm_size(comm, &ranks);
        return local(rank, ranks);
    }

    [[nodiscard]] weir_array* handle() const noexcept { return handle_.get(); }

  private:
    Array(weir_array* made, std::size_t dims, bool blocks) : handle_(made), dims_(dims), blocks_(blocks) {}

    static int dims(Indices const& shape) { return static_cast<int>(shape.size()); }
    static void check_optional(char const* what, Indices const& list, Indices const& shape) {
        if (!list.empty()) {
            detail::check_dims(what, list, shape.size());
        }
    }

    std::unique_ptr<weir_array, detail::FreeArray> handle_;
    std::size_t dims_;
    bool blocks_;
};

}  // namespace weir::io
