#include "apps/flash/gas/adaption.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "apps/flash/gas/totals.hpp"
#include "apps/flash/gas_on_blocks.hpp"

namespace weir::flash {
namespace {

/// Hot dense gas in one corner of a domain that is fine elsewhere.
State corner_of(Corner const& x) {
    auto const inside = std::hypot(x[0] - 1, x[1] - 1, x[2] - 1) < 0.15;
    return {inside ? 4.0 : 1.0, 0.3, inside ? 0.5 : 0.25, -1, inside ? 10.0 : 1.0};
}

Blocks adapted(Blocks const& blocks, int most_levels = 4) {
    Surroundings surroundings(blocks);
    auto const marks = marks_of(blocks, surroundings, gamma_air);
    auto adapted = moved_to(blocks.tree().adapted(marks, most_levels), blocks, surroundings, gamma_air);
    Parents(adapted).fill(adapted, gamma_air);
    return adapted;
}

TEST(Adaption, RefinesWhereTheGasIsRoughAndMergesWhereItIsSmooth) {
    Blocks blocks({}, bordered_tree({}), 8);
    fill(blocks, corner_of);
    auto const next = adapted(adapted(blocks));
    EXPECT_FALSE(next.tree().find({3, {3, 5, 3}}));
    EXPECT_FALSE(next.tree().find({2, {1, 2, 1}}));
    EXPECT_TRUE(next.tree().find({2, {3, 3, 3}}));
}

/// A wave that the blocks resolve, but their parents would not; and one that all do.
TEST(Adaption, MergesNoBlocksIfTheirParentWouldBeRough) {
    Tree tree({1, 1, 1}, all_periodic);
    for (int level = 0; level < 2; ++level) {
        tree = tree.adapted(std::vector(tree.size(), Mark::refine), 3);
    }
    auto const last_leaf_asks = [&](double amplitude) {
        Blocks blocks({}, tree, 8);
        fill(blocks, [&](Corner const& x) -> State {
            return {1 + amplitude * std::sin(2 * std::numbers::pi * x[0]), 0, 0, 0, 1};
        });
        Surroundings surroundings(blocks);
        return marks_of(blocks, surroundings, gamma_air).back();
    };
    EXPECT_EQ(last_leaf_asks(0.075), Mark::keep);
    EXPECT_EQ(last_leaf_asks(0.01), Mark::coarsen);
}

TEST(Adaption, KeepsMassMomentumAndEnergy) {
    Blocks blocks({}, bordered_tree({}), 8);
    fill(blocks, corner_of);
    auto const before = totals_of(blocks, gamma_air);
    auto const next = adapted(adapted(blocks));
    ASSERT_FALSE(next.tree() == blocks.tree());
    auto const after = totals_of(next, gamma_air);
    EXPECT_NEAR(after.mass, before.mass, 1e-14);
    EXPECT_NEAR(after.energy, before.energy, 1e-13);
}

TEST(Adaption, LeavesUniformGasAsItIsAndWithoutFineBlocks) {
    constexpr State gas{1.3, 0.4, -0.3, 0.2, 0.7};
    Blocks blocks({}, bordered_tree({}), 8);
    fill(blocks, [&](Corner const&) { return gas; });
    auto const next = adapted(blocks);
    EXPECT_LT(next.tree().size(), blocks.tree().size());
    for (auto b = next.first(); b < next.end(); ++b) {
        for_cells(next.interior(), [&](Triple const& c) { ASSERT_EQ(next.cells(b).state(c), gas); });
    }
}

/// Density that rises along all axes: new blocks have it exactly, though their parents' neighbours are coarser.
TEST(Adaption, FillsNewBlocksOfALinearFieldExactly) {
    Blocks blocks({}, bordered_tree({}), 8);
    auto const at = [](Corner const& x) -> State { return {3 + x[0] + 2 * x[1] - x[2], 0.5, -2, 0.25, 4 - x[1]}; };
    fill(blocks, at);
    Surroundings surroundings(blocks);
    surroundings.exchange(blocks);
    std::vector<Mark> marks(blocks.tree().size(), Mark::keep);
    marks[*blocks.tree().find({3, {3, 5, 3}})] = Mark::refine;
    auto const next = moved_to(blocks.tree().adapted(marks, 5), blocks, surroundings, gamma_air);
    ASSERT_EQ(next.tree().levels(), 5);
    auto const h = next.tree().edge(0) / 16;  // a root's children have their slopes from the domain's boundaries
    for (auto const b : next.leaves()) {
        for_cells(next.interior(), [&](Triple const& c) {
            auto const x = next.centre(b, c);
            if (std::ranges::all_of(x, [&](double along) { return along > h && along < 1 - h; })) {
                for (std::size_t v = 0; v < variables; ++v) {
                    ASSERT_NEAR(next.cells(b).state(c)[v], at(x)[v], 1e-14) << "variable " << v << " of block " << b;
                }
            }
        });
    }
}

}  // namespace
}  // namespace weir::flash
