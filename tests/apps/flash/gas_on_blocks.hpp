#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <functional>
#include <vector>

#include "apps/flash/gas/parents.hpp"

namespace weir::flash {

constexpr double gamma_air = 1.4;
constexpr Boundaries all_periodic{Boundary::periodic, Boundary::periodic, Boundary::periodic};

/// A tree of three levels whose finest blocks are around one corner of a root block's middle: it has borders of levels
/// at faces, edges and corners, and touches the boundaries.
inline Tree bordered_tree(Boundaries const& boundaries, Triple const& roots = {1, 1, 1}) {
    Tree tree(roots, boundaries);
    std::vector<Mark> marks(tree.size(), Mark::refine);
    tree = tree.adapted(marks, 4);
    marks.assign(tree.size(), Mark::keep);
    marks[*tree.find({1, {0, 1, 0}})] = Mark::refine;
    tree = tree.adapted(marks, 4);
    marks.assign(tree.size(), Mark::keep);
    marks[*tree.find({2, {1, 2, 1}})] = Mark::refine;
    return tree.adapted(marks, 4);
}

using AtPoint = std::function<State(Corner const&)>;

/// Fills leaves by their cells' centres, and parents with means.
inline void fill(Blocks& blocks, AtPoint const& at) {
    for (auto const b : blocks.leaves()) {
        auto const cells = blocks.cells(b);
        for_cells(blocks.interior(), [&](Triple const& c) { cells.set(c, at(blocks.centre(b, c))); });
    }
    Parents(blocks).fill(blocks, gamma_air);
}

/// Mass, momentum and energy of all leaves of a run on one rank.
inline State total_of(Blocks const& blocks) {
    State total{};
    for (auto const b : blocks.leaves()) {
        for_cells(blocks.interior(), [&](Triple const& c) {
            auto const state = conserved(blocks.cells(b).state(c), gamma_air);
            for (std::size_t v = 0; v < variables; ++v) {
                total[v] += state[v] * std::pow(blocks.spacing(b), 3);
            }
        });
    }
    return total;
}

/// A number for each block's values that changes if any bit of them does: of all blocks, on all ranks.
inline std::vector<std::uint64_t> digests(Blocks const& blocks) {
    std::vector<std::uint64_t> all(blocks.tree().size());
    for (auto b = blocks.first(); b < blocks.end(); ++b) {
        std::uint64_t hash = 1469598103934665603U;  // FNV-1a, by words
        for (std::size_t v = 0; v < variables; ++v) {
            for (auto const value : blocks.values(b, v)) {
                hash = (hash ^ std::bit_cast<std::uint64_t>(value)) * 1099511628211U;
                hash ^= hash >> 29U;
            }
        }
        all[b] = hash >> 1U;  // for a maximum of integers with a sign
    }
    blocks.comm().max(all);
    return all;
}

}  // namespace weir::flash
