#pragma once

#include "support/arrays/layouts.hpp"

namespace weir::testing {

/// Up to seven dimensions and some thousand elements.
inline Indices random_shape(std::mt19937_64& random, std::size_t dims) {
    constexpr std::array<std::uint64_t, 8> most{0, 400, 24, 12, 6, 5, 4, 3};
    Indices shape;
    for (std::size_t i = 0; i < dims; ++i) {
        shape.push_back(static_cast<std::int64_t>(1 + random_below(random, most.at(dims))));
    }
    return shape;
}

/// The ranks along each dimension, in any way that their product allows.
inline Indices random_grid(std::mt19937_64& random, std::size_t dims, std::uint64_t ranks) {
    Indices grid(dims, 1);
    for (std::uint64_t factor = 2; ranks > 1; ++factor) {
        for (; ranks % factor == 0; ranks /= factor) {
            grid[random_below(random, dims)] *= static_cast<std::int64_t>(factor);
        }
    }
    return grid;
}

/// Cuts a box into pieces at random until none is larger than a few elements, and deals them out.
inline void deal_boxes(std::mt19937_64& random, Layout& layout, Indices const& start, Indices const& count) {
    auto const elements = Layout::product(count);
    auto const i = random_below(random, count.size());
    if (elements > 1 && random_below(random, elements) > 8) {
        auto first = count;
        auto second = count;
        auto middle = start;
        first[i] = static_cast<std::int64_t>(random_below(random, static_cast<std::uint64_t>(count[i]) + 1));
        second[i] -= first[i];
        middle[i] += first[i];
        deal_boxes(random, layout, start, first);
        deal_boxes(random, layout, middle, second);
        return;
    }
    auto const rank = random_below(random, layout.ranks);
    layout.starts[rank].push_back(start);
    layout.counts[rank].push_back(count);
}

/// Cuts an array of one dimension into pieces, and deals them out in any order.
inline void deal_pieces(std::mt19937_64& random, Layout& layout) {
    Indices cuts{0};
    for (std::int64_t at = 0; at < layout.shape[0];) {
        at = std::min(layout.shape[0], at + static_cast<std::int64_t>(1 + random_below(random, 5)));
        cuts.push_back(at);
    }
    std::vector<std::size_t> order(cuts.size() - 1);
    for (std::size_t i = 0; i < order.size(); ++i) {
        order[i] = i;
    }
    std::ranges::shuffle(order, random);
    for (auto const i : order) {
        auto const rank = random_below(random, layout.ranks);
        layout.offsets[rank].push_back(cuts[i]);
        layout.lengths[rank].push_back(cuts[i + 1] - cuts[i]);
    }
}

inline Indices random_counts(std::mt19937_64& random, std::size_t dims, std::uint64_t below) {
    Indices counts;
    for (std::size_t i = 0; i < dims; ++i) {
        counts.push_back(static_cast<std::int64_t>(random_below(random, below)));
    }
    return counts;
}

/// Who holds what of an array, its shape, element size, order and place in the file being settled.
inline Layout distributed(std::mt19937_64& random, Layout layout, std::uint64_t ranks) {
    auto const dims = layout.shape.size();
    layout.ranks = ranks;
    layout.block.clear();
    layout.grid.clear();
    layout.before.clear();
    layout.after.clear();
    layout.starts.assign(ranks, {});
    layout.counts.assign(ranks, {});
    layout.offsets.assign(ranks, {});
    layout.lengths.assign(ranks, {});
    layout.memory_order = random_below(random, 3) == 0 ? WEIR_FORTRAN_ORDER : WEIR_C_ORDER;
    bool const line = dims == 1 && layout.order == WEIR_C_ORDER;
    auto const kind = random_below(random, line ? 5 : 3);
    if (kind == 0) {
        layout.distribution = Distribution::blocks;
        layout.grid = random_below(random, 3) == 0 ? Indices{} : random_grid(random, dims, ranks);
    } else if (kind == 1) {
        layout.distribution = Distribution::blocks;
        layout.grid = random_grid(random, dims, ranks);
        layout.block = random_counts(random, dims, 5);
    } else if (kind == 2) {
        layout.distribution = Distribution::boxes;
        deal_boxes(random, layout, Indices(dims, 0), layout.shape);
    } else if (kind == 3) {
        layout.distribution = Distribution::pieces;
        deal_pieces(random, layout);
    } else {
        layout.distribution = Distribution::replicated;
    }
    if ((kind == 0 || kind == 2) && random_below(random, 3) == 0) {
        layout.before = random_counts(random, dims, 3);
        layout.after = random_counts(random, dims, 3);
    }
    return layout;
}

inline Layout random_layout(std::mt19937_64& random, std::uint64_t ranks, std::size_t dims = 0) {
    Layout layout;
    dims = dims != 0 ? dims : 1 + random_below(random, random_below(random, 3) == 0 ? 7 : 3);
    layout.shape = random_shape(random, dims);
    layout.element_bytes = 1 + random_below(random, 24);
    layout.order = random_below(random, 3) == 0 ? WEIR_FORTRAN_ORDER : WEIR_C_ORDER;
    if (random_below(random, 4) == 0) {
        layout.larger_start = random_counts(random, dims, 3);
        layout.larger_shape = layout.shape;
        for (std::size_t i = 0; i < dims; ++i) {
            layout.larger_shape[i] += layout.larger_start[i] + static_cast<std::int64_t>(random_below(random, 3));
        }
    }
    return distributed(random, std::move(layout), ranks);
}

}  // namespace weir::testing
