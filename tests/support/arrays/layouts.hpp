#pragma once

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "array/layout/description.hpp"
#include "support/arrays/sections.hpp"

namespace weir::testing {

using array::Distribution;
using array::Indices;

/// How one array is distributed over all ranks, in plain words: the same on each rank of a test. What follows from it
/// is found element by element, the slow and sure way, and without the library but for its choice of a grid.
struct Layout {
    Distribution distribution = Distribution::blocks;
    std::uint64_t ranks = 1;
    Indices shape{1};
    std::uint64_t element_bytes = 1;
    weir_order order = WEIR_C_ORDER;
    weir_order memory_order = WEIR_C_ORDER;
    Indices block, grid;                                ///< of blocks; empty: even blocks, a grid to be chosen
    std::vector<std::vector<Indices>> starts, counts;   ///< of boxes: of each rank
    std::vector<Indices> offsets, lengths;              ///< of pieces: of each rank
    Indices before, after, larger_shape, larger_start;  ///< empty: none

    [[nodiscard]] std::uint64_t elements() const { return product(shape); }
    [[nodiscard]] std::uint64_t bytes() const { return elements() * element_bytes; }
    [[nodiscard]] std::uint64_t file_bytes() const {
        return product(larger_shape.empty() ? shape : larger_shape) * element_bytes;
    }
    static std::uint64_t product(Indices const& values) {
        std::uint64_t all = 1;
        for (auto const v : values) {
            all *= static_cast<std::uint64_t>(v);
        }
        return all;
    }
};

/// An element that a rank holds: its number in the array's own order, and the byte of the local array it begins at.
struct Element {
    std::uint64_t number = 0;
    std::uint64_t memory = 0;
    bool operator==(Element const&) const = default;
};

/// The place of an index in an array of this shape, in elements.
inline std::uint64_t number_of(Indices const& index, Indices const& shape, weir_order order) {
    std::uint64_t number = 0;
    for (std::size_t k = 0; k < shape.size(); ++k) {
        auto const i = order == WEIR_C_ORDER ? k : shape.size() - 1 - k;
        number = number * static_cast<std::uint64_t>(shape[i]) + static_cast<std::uint64_t>(index[i]);
    }
    return number;
}

/// All indices of a box that begins at 0, in C order.
template <class Visit>
void each_index(Indices const& shape, Visit visit) {
    Indices index(shape.size(), 0);
    for (auto left = Layout::product(shape); left > 0; --left) {
        visit(index);
        for (auto i = shape.size(); i-- > 0 && ++index[i] == shape[i];) {
            index[i] = 0;
        }
    }
}

/// Along each dimension, the indices that a rank holds of a distribution in blocks, in order.
inline std::vector<Indices> held_along(Layout const& layout, std::uint64_t rank) {
    auto const grid = layout.grid.empty() ? array::square_grid(layout.shape, layout.ranks) : layout.grid;
    std::vector<Indices> held(layout.shape.size());
    for (auto d = layout.shape.size(); d-- > 0;) {
        auto const p = static_cast<std::uint64_t>(grid[d]);
        auto const coordinate = rank % p;
        rank /= p;
        auto const n = static_cast<std::uint64_t>(layout.shape[d]);
        auto const b = layout.block.empty() ? 0 : static_cast<std::uint64_t>(layout.block[d]);
        std::uint64_t owner = 0;
        std::uint64_t taken = 0;
        for (std::uint64_t i = 0; i < n; ++i) {
            if (b == 0) {
                while (taken == n / p + (owner < n % p ? 1 : 0)) {
                    ++owner;
                    taken = 0;
                }
                ++taken;
            } else {
                owner = i / b % p;
            }
            if (owner == coordinate) {
                held[d].push_back(static_cast<std::int64_t>(i));
            }
        }
    }
    return held;
}

/// What a rank holds, in the order of its memory's first use.
inline std::vector<Element> held_by(Layout const& layout, std::uint64_t rank, std::uint64_t* local_bytes = nullptr) {
    std::vector<Element> elements;
    std::uint64_t bytes = 0;
    auto const e = layout.element_bytes;
    auto const add_box = [&](std::vector<Indices> const& along) {
        Indices count;
        Indices padded;
        for (std::size_t i = 0; i < along.size(); ++i) {
            count.push_back(static_cast<std::int64_t>(along[i].size()));
            padded.push_back(count[i] + (layout.before.empty() ? 0 : layout.before[i] + layout.after[i]));
        }
        each_index(count, [&](Indices const& at) {
            auto index = at;
            auto local = at;
            for (std::size_t i = 0; i < at.size(); ++i) {
                index[i] = along[i][static_cast<std::size_t>(at[i])];
                local[i] += layout.before.empty() ? 0 : layout.before[i];
            }
            elements.push_back({number_of(index, layout.shape, layout.order),
                                bytes + number_of(local, padded, layout.memory_order) * e});
        });
        bytes += Layout::product(padded) * e;
    };
    switch (layout.distribution) {
        case Distribution::blocks:
            add_box(held_along(layout, rank));
            break;
        case Distribution::boxes:
            for (std::size_t box = 0; box < layout.starts[rank].size(); ++box) {
                std::vector<Indices> along(layout.shape.size());
                for (std::size_t i = 0; i < along.size(); ++i) {
                    for (std::int64_t n = 0; n < layout.counts[rank][box][i]; ++n) {
                        along[i].push_back(layout.starts[rank][box][i] + n);
                    }
                }
                add_box(along);
            }
            break;
        case Distribution::pieces:
            for (std::size_t i = 0; i < layout.offsets[rank].size(); ++i) {
                for (std::int64_t n = 0; n < layout.lengths[rank][i]; ++n, bytes += e) {
                    elements.push_back({static_cast<std::uint64_t>(layout.offsets[rank][i] + n), bytes});
                }
            }
            break;
        case Distribution::replicated:
            for (std::uint64_t i = 0; i < layout.elements(); ++i, bytes += e) {
                elements.push_back({i, bytes});
            }
    }
    if (local_bytes != nullptr) {
        *local_bytes = bytes;
    }
    return elements;
}

/// The byte of the file, counted from the array's place there, that an element of the array begins at.
inline std::uint64_t place_in_file(Layout const& layout, std::uint64_t number) {
    if (layout.larger_shape.empty()) {
        return number * layout.element_bytes;
    }
    Indices index(layout.shape.size());
    for (std::size_t k = 0; k < index.size(); ++k) {
        auto const i = layout.order == WEIR_C_ORDER ? index.size() - 1 - k : k;
        index[i] =
            static_cast<std::int64_t>(number % static_cast<std::uint64_t>(layout.shape[i])) + layout.larger_start[i];
        number /= static_cast<std::uint64_t>(layout.shape[i]);
    }
    return number_of(index, layout.larger_shape, layout.order) * layout.element_bytes;
}

/// Boxes, one after the other, as the interface takes them.
inline Indices joined(std::vector<Indices> const& boxes) {
    Indices all;
    for (auto const& box : boxes) {
        all.insert(all.end(), box.begin(), box.end());
    }
    return all;
}

inline std::int64_t const* or_null(Indices const& values) { return values.empty() ? nullptr : values.data(); }

/// As the library describes it on one rank.
inline array::Description described(Layout const& layout, std::uint64_t rank) {
    auto const dims = static_cast<int>(layout.shape.size());
    auto const make = [&] {
        switch (layout.distribution) {
            case Distribution::blocks:
                return array::describe_blocks(dims, layout.shape.data(), or_null(layout.block), or_null(layout.grid),
                                              layout.element_bytes, layout.order);
            case Distribution::boxes:
                return array::describe_boxes(dims, layout.shape.data(),
                                             static_cast<std::int64_t>(layout.starts[rank].size()),
                                             joined(layout.starts[rank]).data(), joined(layout.counts[rank]).data(),
                                             layout.element_bytes, layout.order);
            case Distribution::pieces:
                return array::describe_pieces(layout.shape[0], static_cast<std::int64_t>(layout.offsets[rank].size()),
                                              layout.offsets[rank].data(), layout.lengths[rank].data(),
                                              layout.element_bytes);
            default:
                return array::describe_replicated(layout.shape[0], layout.element_bytes);
        }
    };
    auto description = make();
    if (!layout.before.empty()) {
        add_ghosts(description, layout.before.data(), layout.after.data());
    }
    description.memory_order = layout.memory_order;
    if (!layout.larger_shape.empty()) {
        put_within(description, layout.larger_shape.data(), layout.larger_start.data());
    }
    return description;
}

}  // namespace weir::testing
