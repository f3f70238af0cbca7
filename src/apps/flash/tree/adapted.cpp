#include <algorithm>
#include <utility>

#include "apps/flash/tree/tree.hpp"
#include "core/error.hpp"

namespace weir::flash {
namespace {

/// Calls back with the blocks one level coarser that touch b and are not its parent: they must have children if b has.
template <class Use>
void each_support(Tree const& tree, std::size_t b, Use use) {
    if (tree.level(b) == 0) {
        return;
    }
    auto const parent = *tree.parent(b);
    auto const k = tree.which_child(b) - 1;
    for (auto subset = 1; subset < children; ++subset) {
        Direction direction{};
        for (std::size_t axis = 0; axis < axes; ++axis) {
            auto const bit = 1 << axis;
            auto const side = (k & bit) != 0 ? 1 : -1;
            direction[axis] = (subset & bit) != 0 ? side : 0;
        }
        if (auto const beside = tree.neighbour(parent, direction); beside.kind == Neighbour::Relation::same) {
            use(beside.block);
        }
    }
}

/// Which blocks of the tree have children after the step; blocks that the step creates have none.
class Split {
  public:
    Split(Tree const& tree, std::span<Mark const> marks) : tree_(tree), marks_(marks), split_(tree.size()) {
        for (std::size_t b = 0; b < tree.size(); ++b) {
            split_[b] = !tree.is_leaf(b);
        }
    }

    void refine(int deepest) {
        std::vector<std::size_t> new_ones;
        auto const split = [&](std::size_t b) {
            if (!split_[b]) {
                split_[b] = true;
                new_ones.push_back(b);
            }
        };
        for (std::size_t b = 0; b < tree_.size(); ++b) {
            if (tree_.is_leaf(b) && marks_[b] == Mark::refine && tree_.level(b) < deepest) {
                split(b);
            }
        }
        while (!new_ones.empty()) {
            auto const b = new_ones.back();
            new_ones.pop_back();
            each_support(tree_, b, split);
        }
    }

    /// From the finest level on: what a block needs is known when its finer neighbours are decided.
    void coarsen() {
        std::vector<bool> needed(tree_.size());
        for (auto level = tree_.levels() - 1; level >= 0; --level) {
            for (std::size_t b = 0; b < tree_.size(); ++b) {
                if (!split_[b] || tree_.level(b) != level) {
                    continue;
                }
                if (!needed[b] && children_ask(b)) {
                    split_[b] = false;
                } else {
                    each_support(tree_, b, [&](std::size_t support) { needed[support] = true; });
                }
            }
        }
    }

    [[nodiscard]] bool operator[](std::size_t b) const { return split_[b]; }

  private:
    [[nodiscard]] bool children_ask(std::size_t b) const {
        if (tree_.is_leaf(b)) {
            return false;
        }
        for (auto k = 0; k < children; ++k) {
            auto const c = tree_.child(b, k).value();
            if (!tree_.is_leaf(c) || split_[c] || marks_[c] != Mark::coarsen) {
                return false;
            }
        }
        return true;
    }

    Tree const& tree_;
    std::span<Mark const> marks_;
    std::vector<bool> split_;
};

}  // namespace

Tree Tree::adapted(std::span<Mark const> marks, int most_levels) const {
    expect(marks.size() == size() && most_levels > 0, "a mark for every block");
    Split split(*this, marks);
    split.refine(std::min(most_levels - 1, deepest_));
    split.coarsen();

    std::vector<Key> keys;
    for (std::size_t b = 0; b < size(); ++b) {
        keys.push_back(keys_[b]);
        if (split[b] && is_leaf(b)) {
            for (auto k = 0; k < children; ++k) {
                keys.push_back(key_of(child_of(position(b), k), deepest_));
            }
        } else if (!split[b] && !is_leaf(b)) {
            b += children;  // leaves, hence directly behind their parent
        }
    }
    return {roots_, boundaries_, std::move(keys)};
}

}  // namespace weir::flash
