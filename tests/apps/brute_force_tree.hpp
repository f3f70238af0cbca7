#pragma once

#include <algorithm>
#include <vector>

#include "apps/flash/tree/tree.hpp"

namespace weir::flash {

/// The tree by brute force, to compare with: the level of the leaf over every cell of a grid of the finest level. All
/// questions are answered by searching that grid, or all blocks.
class BruteForceTree {
  public:
    BruteForceTree(Triple const& roots, Boundaries const& boundaries, int finest)
        : roots_(roots),
          boundaries_(boundaries),
          finest_(finest),
          cells_(blocks_along(roots, finest)),
          leaf_(static_cast<std::size_t>(volume(cells_))) {
        list_blocks();
    }

    [[nodiscard]] std::vector<Position> const& blocks() const { return blocks_; }
    [[nodiscard]] bool is_leaf(Position const& p) const { return leaf_[cell(first_cell(p))] == p.level; }
    [[nodiscard]] Index cells() const { return volume(cells_); }
    [[nodiscard]] Index cells_of(Position const& p) const { return Index{1} << 3 * (finest_ - p.level); }

    /// A step by marks for blocks().
    void adapt(std::vector<Mark> const& marks) {
        auto const before = leaf_;
        auto const old_blocks = blocks_;
        auto const leaf_before = [&](Position const& p) { return before[cell(first_cell(p))] == p.level; };
        for (std::size_t b = 0; b < old_blocks.size(); ++b) {
            if (auto const& p = old_blocks[b]; leaf_before(p) && marks[b] == Mark::refine && p.level < finest_) {
                put(leaf_, p, p.level + 1);
            }
        }
        balance();
        auto const refined = leaf_;
        std::vector<Position> going;
        for (auto const& parent : old_blocks) {
            auto asking = 0;
            for (std::size_t b = 0; b < old_blocks.size(); ++b) {
                auto const& p = old_blocks[b];
                auto const asks =
                    leaf_before(p) && refined[cell(first_cell(p))] == p.level && marks[b] == Mark::coarsen;
                asking += p.level == parent.level + 1 && parent_of(p) == parent && asks ? 1 : 0;
            }
            if (asking == 8) {
                going.push_back(parent);
            }
        }
        for (auto all_fit = false; !all_fit;) {
            leaf_ = refined;
            for (auto const& p : going) {
                put(leaf_, p, p.level);
            }
            auto const gone = std::erase_if(going, [&](Position const& p) { return is_beside_much_finer(p); });
            all_fit = gone == 0;
        }
        list_blocks();
    }

    /// The number of the block of the same level in a direction: by comparing corners with all blocks.
    [[nodiscard]] std::int32_t neighbour(Position const& p, Direction const& direction) const {
        auto corner = first_cell(p);
        for (std::size_t axis = 0; axis < axes; ++axis) {
            corner[axis] += direction[axis] * edge(p);
            if (corner[axis] >= 0 && corner[axis] < cells_[axis]) {
                continue;
            }
            if (boundaries_[axis] != Boundary::periodic) {
                return boundaries_[axis] == Boundary::outflow ? -32 : -31;
            }
            corner[axis] = (corner[axis] + cells_[axis]) % cells_[axis];
        }
        return number(p.level, corner);
    }

    [[nodiscard]] std::vector<std::int32_t> gid(Position const& p) const {
        std::vector<std::int32_t> list;
        for (auto const& d : {Direction{-1, 0, 0}, {1, 0, 0}, {0, -1, 0}, {0, 1, 0}, {0, 0, -1}, {0, 0, 1}}) {
            list.push_back(neighbour(p, d));
        }
        auto parent = first_cell(p);
        for (auto& at : parent) {
            at -= at % (2 * edge(p));
        }
        list.push_back(number(p.level - 1, parent));
        for (Index z = 0; z < 2; ++z) {
            for (Index y = 0; y < 2; ++y) {
                for (Index x = 0; x < 2; ++x) {
                    auto const [i, j, k] = first_cell(p);
                    auto const half = edge(p) / 2;
                    list.push_back(
                        p.level == finest_ ? -1 : number(p.level + 1, {i + x * half, j + y * half, k + z * half}));
                }
            }
        }
        return list;
    }

    /// Whether all leaves that touch differ by a level at most.
    [[nodiscard]] bool is_balanced() const {
        return std::ranges::none_of(blocks_, [&](auto const& p) { return is_leaf(p) && is_beside_much_finer(p); });
    }

  private:
    [[nodiscard]] Index edge(Position const& p) const { return Index{1} << (finest_ - p.level); }  ///< in cells
    [[nodiscard]] Triple first_cell(Position const& p) const {
        return {p.at[0] * edge(p), p.at[1] * edge(p), p.at[2] * edge(p)};
    }
    [[nodiscard]] std::size_t cell(Triple const& c) const {
        return static_cast<std::size_t>(c[0] + cells_[0] * (c[1] + cells_[1] * c[2]));
    }

    /// The cells of a block, with `around` more on each side, wrapped or left out at the boundaries.
    template <class Use>
    void each_cell(Position const& p, Index around, Use use) const {
        auto const [i, j, k] = first_cell(p);
        for (auto z = k - around; z < k + edge(p) + around; ++z) {
            for (auto y = j - around; y < j + edge(p) + around; ++y) {
                for (auto x = i - around; x < i + edge(p) + around; ++x) {
                    Triple c{x, y, z};
                    auto inside = true;
                    for (std::size_t axis = 0; axis < axes; ++axis) {
                        auto const wrapped = (c[axis] + cells_[axis]) % cells_[axis];
                        inside = inside && (wrapped == c[axis] || boundaries_[axis] == Boundary::periodic);
                        c[axis] = wrapped;
                    }
                    if (inside) {
                        use(cell(c));
                    }
                }
            }
        }
    }

    void put(std::vector<int>& levels, Position const& p, int level) const {
        each_cell(p, 0, [&](std::size_t c) { levels[c] = level; });
    }

    [[nodiscard]] bool is_beside_much_finer(Position const& p) const {
        auto finest = 0;
        each_cell(p, 1, [&](std::size_t c) { finest = std::max(finest, leaf_[c]); });
        return finest > p.level + 1;
    }

    /// Raises levels, and completes blocks, until every leaf has leaves of at least the level below its own around it.
    void balance() {
        for (auto changed = true; changed;) {
            changed = false;
            list_blocks();
            for (auto const& p : blocks_) {
                if (is_leaf(p) && is_beside_much_finer(p)) {
                    put(leaf_, p, p.level + 1);
                    changed = true;
                }
            }
        }
    }

    [[nodiscard]] std::int32_t number(int level, Triple const& corner) const {
        for (std::size_t b = 0; b < blocks_.size(); ++b) {
            if (blocks_[b].level == level && first_cell(blocks_[b]) == corner) {
                return static_cast<std::int32_t>(b) + 1;
            }
        }
        return -1;
    }

    void list(Position const& p) {
        blocks_.push_back(p);
        if (is_leaf(p)) {
            return;
        }
        for (Index i = 0; i < 8; ++i) {
            list({p.level + 1, {p.at[0] * 2 + (i & 1), p.at[1] * 2 + (i >> 1 & 1), p.at[2] * 2 + (i >> 2)}});
        }
    }

    /// The highest bit in which two corners differ decides, and of equal ones that of z, then of y.
    [[nodiscard]] bool is_before(Position const& a, Position const& b) const {
        auto const p = first_cell(a);
        auto const q = first_cell(b);
        for (auto bit = 40; bit >= 0; --bit) {
            for (auto const axis : {2U, 1U, 0U}) {
                auto const of_p = p[axis] >> bit & 1;
                auto const of_q = q[axis] >> bit & 1;
                if (of_p != of_q) {
                    return of_p < of_q;
                }
            }
        }
        return a.level < b.level;
    }

    void list_blocks() {
        blocks_.clear();
        for (Index i = 0; i < volume(roots_); ++i) {
            list({0, {i % roots_[0], i / roots_[0] % roots_[1], i / roots_[0] / roots_[1]}});
        }
        std::ranges::sort(blocks_, [&](auto const& a, auto const& b) { return is_before(a, b); });
    }

    Triple roots_;
    Boundaries boundaries_;
    int finest_;
    Triple cells_;
    std::vector<int> leaf_;
    std::vector<Position> blocks_;
};

}  // namespace weir::flash
