#include "apps/flash/tree/tree.hpp"

#include <gtest/gtest.h>

namespace weir::flash {
namespace {

constexpr Boundaries all(Boundary b) { return {b, b, b}; }

/// One root block, refined, and of its children the first refined again: 17 blocks.
Tree seventeen(Boundaries const& boundaries) {
    Tree const root({1, 1, 1}, boundaries);
    auto const nine = root.adapted(std::vector{Mark::refine}, 3);
    std::vector<Mark> marks(9, Mark::keep);
    marks[1] = Mark::refine;
    return nine.adapted(marks, 3);
}

TEST(FlashTree, SeventeenBlocksAreInFlashsOrderWithItsLists) {
    auto const tree = seventeen(all(Boundary::outflow));
    ASSERT_EQ(tree.size(), 17U);
    EXPECT_EQ(tree.levels(), 3);
    EXPECT_EQ(tree.position(1), (Position{1, {0, 0, 0}}));
    EXPECT_EQ(tree.position(3), (Position{2, {1, 0, 0}}));
    EXPECT_EQ(tree.position(10), (Position{1, {1, 0, 0}}));
    EXPECT_EQ(tree.position(16), (Position{1, {1, 1, 1}}));
    EXPECT_EQ(tree.gid(0), (Relatives{-32, -32, -32, -32, -32, -32, -1, 2, 11, 12, 13, 14, 15, 16, 17}));
    EXPECT_EQ(tree.gid(1), (Relatives{-32, 11, -32, 12, -32, 14, 1, 3, 4, 5, 6, 7, 8, 9, 10}));
    EXPECT_EQ(tree.gid(3), (Relatives{3, -1, -32, 6, -32, 8, 2, -1, -1, -1, -1, -1, -1, -1, -1}));
    EXPECT_EQ(tree.gid(10), (Relatives{2, -32, -32, 13, -32, 15, 1, -1, -1, -1, -1, -1, -1, -1, -1}));
}

TEST(FlashTree, ABoundaryGivesItsCodeOrWraps) {
    EXPECT_EQ(seventeen(all(Boundary::reflecting)).gid(10)[1], -31);
    auto const periodic = seventeen(all(Boundary::periodic));
    EXPECT_EQ(periodic.gid(10)[1], 2);
    EXPECT_EQ(periodic.gid(0)[0], 1);  // the only root is its own neighbour
}

TEST(FlashTree, TypesAndChildrenAreNumberedAsInFlash) {
    auto const tree = seventeen(all(Boundary::outflow));
    EXPECT_EQ(tree.node_type(0), 2);
    EXPECT_EQ(tree.node_type(1), 2);
    EXPECT_EQ(tree.node_type(2), 1);
    EXPECT_EQ(tree.which_child(0), -1);
    EXPECT_EQ(tree.which_child(1), 1);
    EXPECT_EQ(tree.which_child(3), 2);
    EXPECT_EQ(tree.which_child(16), 8);
}

}  // namespace
}  // namespace weir::flash
