#pragma once

#include <gtest/gtest.h>

#include <memory>

#include "array/planner/plan_options.hpp"
#include "comm/communicator.hpp"
#include "core/random.hpp"
#include "support/arrays/random_layouts.hpp"
#include "support/file_bytes.hpp"
#include "weir/array.h"

namespace weir::testing {

struct FreeArray {
    void operator()(weir_array* array) const { weir_array_free(array); }
};
using ArrayHandle = std::unique_ptr<weir_array, FreeArray>;

struct FreePlan {
    void operator()(weir_plan* plan) const { weir_plan_free(plan); }
};
using PlanHandle = std::unique_ptr<weir_plan, FreePlan>;

/// An array by one of the library's calls and what it takes: array_by(weir_array_replicated, 1000, 8).
template <class Call, class... Values>
ArrayHandle array_by(Call call, Values... values) {
    weir_array* array = nullptr;
    weir_error error;
    EXPECT_EQ(call(values..., &array, &error), WEIR_OK) << error.message;
    return ArrayHandle(array);
}

/// The plan that there must be. Collective.
inline PlanHandle plan_of(Communicator const& comm, std::vector<weir_array*> const& arrays,
                          std::string const& options = "") {
    weir_plan* plan = nullptr;
    weir_error error;
    EXPECT_EQ(
        weir_plan_make(comm.handle(), static_cast<int>(arrays.size()), arrays.data(), options.c_str(), &plan, &error),
        WEIR_OK)
        << options << ": " << error.message;
    return PlanHandle(plan);
}

/// A layout through the C interface, as one rank sees it. What fails is for weir_plan_make() to say.
inline ArrayHandle made(Layout const& layout, std::uint64_t rank) {
    auto const dims = static_cast<int>(layout.shape.size());
    weir_array* array = nullptr;
    switch (layout.distribution) {
        case Distribution::blocks:
            if (layout.block.empty()) {
                weir_array_block(dims, layout.shape.data(), or_null(layout.grid), layout.element_bytes, layout.order,
                                 &array, nullptr);
            } else {
                weir_array_block_cyclic(dims, layout.shape.data(), layout.block.data(), or_null(layout.grid),
                                        layout.element_bytes, layout.order, &array, nullptr);
            }
            break;
        case Distribution::boxes:
            weir_array_boxes(dims, layout.shape.data(), static_cast<std::int64_t>(layout.starts[rank].size()),
                             joined(layout.starts[rank]).data(), joined(layout.counts[rank]).data(),
                             layout.element_bytes, layout.order, &array, nullptr);
            break;
        case Distribution::pieces:
            weir_array_pieces(layout.shape[0], static_cast<std::int64_t>(layout.offsets[rank].size()),
                              layout.offsets[rank].data(), layout.lengths[rank].data(), layout.element_bytes, &array,
                              nullptr);
            break;
        case Distribution::replicated:
            weir_array_replicated(layout.shape[0], layout.element_bytes, &array, nullptr);
    }
    if (!layout.before.empty()) {
        weir_array_ghosts(array, layout.before.data(), layout.after.data(), nullptr);
    }
    weir_array_memory_order(array, layout.memory_order, nullptr);
    if (!layout.larger_shape.empty()) {
        weir_array_within(array, layout.larger_shape.data(), layout.larger_start.data(), nullptr);
    }
    return ArrayHandle(array);
}

/// Each byte of an array's elements has a value of its own, which changes with the version.
inline std::byte value_of(std::uint64_t version, std::uint64_t array, std::uint64_t element, std::uint64_t byte) {
    return static_cast<std::byte>(mix(((version * 31 + array) << 40U) + element * 32 + byte));
}

/// Puts the elements of an array where they belong in a file, in which it begins at this byte; the file grows as it
/// must. Each number of so many bytes is reversed.
inline void put_array(std::vector<std::byte>& file, Layout const& layout, std::uint64_t array, std::uint64_t offset,
                      std::uint64_t version, std::uint64_t number_bytes = 1) {
    if (layout.file_bytes() > 0) {
        file.resize(std::max<std::size_t>(file.size(), offset + layout.file_bytes()), std::byte{0});
    }
    for (std::uint64_t number = 0; number < layout.elements(); ++number) {
        auto const place = offset + place_in_file(layout, number);
        for (std::uint64_t b = 0; b < layout.element_bytes; ++b) {
            auto const reversed = b - b % number_bytes + number_bytes - 1 - b % number_bytes;
            file[place + reversed] = value_of(version, array, number, b);
        }
    }
}

/// Some arrays that are written together, and what one rank holds of them.
class Arrays {
  public:
    Arrays(std::vector<Layout> layouts, std::uint64_t rank) : layouts_(std::move(layouts)) {
        for (auto const& layout : layouts_) {
            std::uint64_t bytes = 0;
            held_.push_back(held_by(layout, rank, &bytes));
            local_.emplace_back(bytes);
            handles_.push_back(made(layout, rank));
        }
    }

    [[nodiscard]] std::vector<Layout> const& layouts() const { return layouts_; }

    /// The plan, or null; with what weir_plan_make() said. Collective.
    PlanHandle plan(MPI_Comm comm, std::string const& options, weir_error* error) const {
        std::vector<weir_array*> arrays;
        for (auto const& handle : handles_) {
            arrays.push_back(handle.get());
        }
        weir_plan* plan = nullptr;
        weir_plan_make(comm, static_cast<int>(arrays.size()), arrays.data(), options.c_str(), &plan, error);
        return PlanHandle(plan);
    }

    /// New memory, with the elements' values and something else between them. What a rank holds none of has no memory.
    void* const* filled(std::uint64_t version) {
        return renewed(
            [&](std::size_t a, Element const& e, std::uint64_t b) { return value_of(version, a, e.number, b); });
    }

    /// New memory without anything in it.
    void* const* cleared() {
        return renewed([](std::size_t, Element const&, std::uint64_t) { return between; });
    }

    /// The first wrong byte, in words; nothing where all is as filled() makes it.
    [[nodiscard]] std::string wrong(std::uint64_t version) const {
        for (std::size_t a = 0; a < layouts_.size(); ++a) {
            auto const expected =
                image(a, [&](Element const& e, std::uint64_t b) { return value_of(version, a, e.number, b); });
            auto const [is, should] = std::ranges::mismatch(local_[a], expected);
            if (is != local_[a].end()) {
                return "array " + std::to_string(a) + " has a wrong byte at " + std::to_string(is - local_[a].begin()) +
                       " of " + std::to_string(expected.size());
            }
        }
        return {};
    }

    /// Puts all elements where they belong in a file, from this byte on; the file grows as it must.
    void put_into(std::vector<std::byte>& file, std::uint64_t offset, std::uint64_t version) const {
        for (std::size_t a = 0; a < layouts_.size(); ++a) {
            put_array(file, layouts_[a], a, offset, version);
            offset += layouts_[a].file_bytes();
        }
    }

    [[nodiscard]] std::string summary() const {
        std::string text;
        for (auto const& layout : layouts_) {
            text += described(layout, 0).summary() + ", as " + std::to_string(static_cast<int>(layout.distribution)) +
                    (layout.before.empty() ? "" : ", ghosts") +
                    (layout.memory_order == layout.order ? "" : ", turned") + "; ";
        }
        return text;
    }

  private:
    static constexpr auto between = std::byte{0xa5};

    /// The local memory of an array: its elements, and something else between them.
    template <class Value>
    [[nodiscard]] std::vector<std::byte> image(std::size_t array, Value value) const {
        std::vector<std::byte> bytes(local_[array].size(), between);
        for (auto const& e : held_[array]) {
            for (std::uint64_t b = 0; b < layouts_[array].element_bytes; ++b) {
                bytes[e.memory + b] = value(e, b);
            }
        }
        return bytes;
    }

    template <class Value>
    void* const* renewed(Value value) {
        pointers_.clear();
        for (std::size_t a = 0; a < layouts_.size(); ++a) {
            local_[a] = image(a, [&](Element const& e, std::uint64_t b) { return value(a, e, b); });
            pointers_.push_back(held_[a].empty() ? nullptr : local_[a].data());
        }
        return pointers_.data();
    }

    std::vector<Layout> layouts_;
    std::vector<std::vector<Element>> held_;
    std::vector<std::vector<std::byte>> local_;
    std::vector<ArrayHandle> handles_;
    std::vector<void*> pointers_;
};

/// A bound of memory that cannot be kept to is refused, and the least one that can is named: then it is taken.
inline PlanHandle plan_of(Arrays const& arrays, MPI_Comm comm, std::string const& options, weir_error& error) {
    auto plan = arrays.plan(comm, options, &error);
    std::string const message = error.message;
    std::string const advice = "Give memory=";
    if (auto const at = message.find(advice); !plan && at != std::string::npos) {
        auto const least = message.substr(at + advice.size());
        plan = arrays.plan(comm, array::overridden(options, "memory=" + least.substr(0, least.find(' '))), &error);
    }
    return plan;
}

}  // namespace weir::testing
