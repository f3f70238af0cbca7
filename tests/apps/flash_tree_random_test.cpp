// Trees after random steps of adaption, against a construction by brute force.

#include <gtest/gtest.h>

#include "apps/brute_force_tree.hpp"
#include "core/random.hpp"

namespace weir::flash {
namespace {

using enum Boundary;

struct TreeShape {
    Triple roots;
    Boundaries boundaries;
    int finest;
};

constexpr std::array tree_shapes{
    TreeShape{{1, 1, 1}, {outflow, outflow, outflow}, 4},
    TreeShape{{1, 1, 1}, {periodic, periodic, periodic}, 4},
    TreeShape{{2, 1, 3}, {outflow, reflecting, periodic}, 3},
    TreeShape{{2, 1, 3}, {periodic, periodic, outflow}, 3},
    TreeShape{{2, 1, 3}, {reflecting, reflecting, reflecting}, 3},
    TreeShape{{3, 2, 1}, {periodic, outflow, periodic}, 3},
};

class RandomFlashTree : public ::testing::TestWithParam<std::size_t> {
  protected:
    static constexpr int steps = 8;

    [[nodiscard]] TreeShape const& shape() const { return tree_shapes[GetParam()]; }
    [[nodiscard]] Tree roots() const { return {shape().roots, shape().boundaries}; }
    [[nodiscard]] int levels() const { return shape().finest + 1; }

    /// Families ask together to go, most of them; a few leaves ask to be refined.
    [[nodiscard]] std::vector<Mark> marks(Tree const& tree, int step) const {
        std::vector<Mark> marks(tree.size());
        for (std::size_t b = 0; b < tree.size(); ++b) {
            auto const draw = [&](std::size_t of, std::uint64_t n) {
                return below(n, mix(mix(1000 * GetParam() + static_cast<std::uint64_t>(step)) + of));
            };
            auto const family_goes = draw(tree.size() + tree.parent(b).value_or(0), 100) < 60;
            auto const refine = draw(b, 100) < (step == 0 ? 100U : step < 3 ? 30U : 5U);
            marks[b] = refine ? Mark::refine : family_goes ? Mark::coarsen : Mark::keep;
        }
        return marks;
    }

    /// The tree after each step.
    template <class Use>
    void each_tree(Use use) const {
        auto tree = roots();
        for (auto step = 0; step < steps; ++step) {
            tree = tree.adapted(marks(tree, step), levels());
            use(tree);
        }
    }
};

std::vector<Position> tree_positions(Tree const& tree) {
    std::vector<Position> all;
    for (std::size_t b = 0; b < tree.size(); ++b) {
        all.push_back(tree.position(b));
    }
    return all;
}

template <class Use>
void each_tree_direction(Use use) {
    for (auto z = -1; z <= 1; ++z) {
        for (auto y = -1; y <= 1; ++y) {
            for (auto x = -1; x <= 1; ++x) {
                use(Direction{x, y, z});
            }
        }
    }
}

/// What the steps did: that the tests see every rule at work.
struct TreeChanges {
    int vanished = 0;
    int refined_for_balance = 0;
    int stayed_for_balance = 0;  ///< families

    void add(Tree const& before, std::vector<Mark> const& asked, Tree const& after) {
        for (std::size_t b = 0; b < before.size(); ++b) {
            auto const now = after.find(before.position(b));
            if (!now) {
                ++vanished;
            } else if (!after.is_leaf(*now)) {
                auto const leaf = before.is_leaf(b);
                refined_for_balance += leaf && asked[b] != Mark::refine ? 1 : 0;
                stayed_for_balance += !leaf && family_asks(before, asked, b) ? 1 : 0;
            }
        }
    }

  private:
    static bool family_asks(Tree const& tree, std::vector<Mark> const& asked, std::size_t parent) {
        for (auto k = 0; k < children; ++k) {
            auto const c = tree.child(parent, k).value();
            if (!tree.is_leaf(c) || asked[c] != Mark::coarsen) {
                return false;
            }
        }
        return true;
    }
};

TEST_P(RandomFlashTree, IsThatOfBruteForce) {
    auto tree = roots();
    BruteForceTree model(shape().roots, shape().boundaries, shape().finest);
    TreeChanges changes;
    for (auto step = 0; step < steps; ++step) {
        auto const asked = marks(tree, step);
        auto const next = tree.adapted(asked, levels());
        model.adapt(asked);
        ASSERT_EQ(tree_positions(next), model.blocks()) << "step " << step;
        ASSERT_TRUE(model.is_balanced());
        changes.add(tree, asked, next);
        tree = next;
    }
    EXPECT_GT(changes.vanished, 0);
    EXPECT_GT(changes.refined_for_balance, 0);
    EXPECT_GT(changes.stayed_for_balance, 0);
}

TEST_P(RandomFlashTree, NeighboursAreThoseOfAllBlocksThatTouch) {
    auto tree = roots();
    BruteForceTree model(shape().roots, shape().boundaries, shape().finest);
    for (auto step = 0; step < 4; ++step) {
        auto const asked = marks(tree, step);
        tree = tree.adapted(asked, levels());
        model.adapt(asked);
    }
    auto coarser = 0;
    for (std::size_t b = 0; b < tree.size(); ++b) {
        auto const p = tree.position(b);
        auto const list = tree.gid(b);
        ASSERT_EQ(std::vector(list.begin(), list.end()), model.gid(p)) << "block " << b;
        ASSERT_EQ(tree.is_leaf(b), model.is_leaf(p));
        each_tree_direction([&](Direction const& d) {
            auto const found = tree.neighbour(b, d);
            auto const right = model.neighbour(p, d);
            if (found.kind == Neighbour::Relation::outside) {
                EXPECT_LT(right, -30);
            } else if (found.kind == Neighbour::Relation::same) {
                EXPECT_EQ(static_cast<std::int32_t>(found.block) + 1, right);
            } else {
                ++coarser;
                EXPECT_EQ(right, -1);
                EXPECT_TRUE(tree.is_leaf(found.block));
                EXPECT_EQ(tree.level(found.block), p.level - 1);
                auto const parent = tree.parent(b).value();
                auto touches = false;
                each_tree_direction([&](Direction const& e) {
                    auto const beside = tree.neighbour(parent, e);
                    touches = touches || (beside.kind == Neighbour::Relation::same && beside.block == found.block);
                });
                EXPECT_TRUE(touches);
            }
        });
    }
    EXPECT_GT(coarser, 0);
}

TEST_P(RandomFlashTree, LeavesFillTheDomainOnce) {
    BruteForceTree const grid(shape().roots, shape().boundaries, shape().finest);
    each_tree([&](Tree const& tree) {
        Index filled = 0;
        for (std::size_t b = 0; b < tree.size(); ++b) {
            filled += tree.is_leaf(b) ? grid.cells_of(tree.position(b)) : 0;
        }
        EXPECT_EQ(filled, grid.cells());
    });
}

TEST_P(RandomFlashTree, BlocksAreNeighboursOfTheirNeighbours) {
    each_tree([&](Tree const& tree) {
        for (std::size_t b = 0; b < tree.size(); ++b) {
            each_tree_direction([&](Direction const& d) {
                if (auto const beside = tree.neighbour(b, d); beside.kind == Neighbour::Relation::same) {
                    auto const back = tree.neighbour(beside.block, {-d[0], -d[1], -d[2]});
                    ASSERT_EQ(back.kind, Neighbour::Relation::same);
                    ASSERT_EQ(back.block, b);
                }
            });
        }
    });
}

TEST_P(RandomFlashTree, CoarseningUndoesRefining) {
    each_tree([&](Tree const& tree) {
        std::vector<Mark> refine(tree.size());
        for (std::size_t b = 0; b < tree.size(); ++b) {
            refine[b] = b % 5 == 0 ? Mark::refine : Mark::keep;
        }
        auto const finer = tree.adapted(refine, levels());
        std::vector<Mark> coarsen(finer.size());
        for (std::size_t b = 0; b < finer.size(); ++b) {
            coarsen[b] = tree.find(finer.position(b)) ? Mark::keep : Mark::coarsen;
        }
        EXPECT_EQ(finer.adapted(coarsen, levels()), tree);
    });
}

TEST_P(RandomFlashTree, IsReadFromItsBlocksInAnyOrder) {
    each_tree([&](Tree const& tree) {
        std::vector<Position> blocks(tree.size());
        Shuffle const shuffle(tree.size(), GetParam());
        for (std::size_t b = 0; b < tree.size(); ++b) {
            blocks[shuffle(b)] = tree.position(b);
        }
        EXPECT_EQ(Tree::of(shape().roots, shape().boundaries, blocks), tree);
    });
}

TEST_P(RandomFlashTree, EachRankHoldsItsShareOfTheWeight) {
    each_tree([&](Tree const& tree) {
        std::uint64_t total = 0;
        for (std::size_t b = 0; b < tree.size(); ++b) {
            total += tree.is_leaf(b) ? 2U : 1U;
        }
        for (auto const ranks : {1UL, 2UL, 3UL, 7UL, 13UL, 64UL, 3 * tree.size() + 1}) {
            std::vector<std::uint64_t> right(ranks);
            std::uint64_t weight = 0;
            std::size_t rank = 0;
            for (std::size_t b = 0; b < tree.size(); ++b) {
                weight += tree.is_leaf(b) ? 2U : 1U;
                while ((weight - 1) * ranks >= (rank + 1) * total) {  // (weight - 1) / (total / ranks) >= rank + 1
                    ++rank;
                }
                ++right.at(rank);
            }
            EXPECT_EQ(tree.counts(ranks), right) << ranks << " ranks";
        }
    });
}

INSTANTIATE_TEST_SUITE_P(Shapes, RandomFlashTree, ::testing::Range(std::size_t{0}, tree_shapes.size()));

}  // namespace
}  // namespace weir::flash
