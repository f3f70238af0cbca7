#include "apps/flash/tree/tree.hpp"

#include <gtest/gtest.h>

#include "support/failures/error_of.hpp"

namespace weir::flash {
namespace {

constexpr Boundaries everywhere(Boundary b) { return {b, b, b}; }

/// One root block, refined, and of its children the first refined again: 17 blocks.
Tree seventeen(Boundaries const& boundaries) {
    Tree const root({1, 1, 1}, boundaries);
    auto const nine = root.adapted(std::vector{Mark::refine}, 3);
    std::vector<Mark> marks(9, Mark::keep);
    marks[1] = Mark::refine;
    return nine.adapted(marks, 3);
}

TEST(FlashTree, SeventeenBlocksAreInFlashsOrderWithItsLists) {
    auto const tree = seventeen(everywhere(Boundary::outflow));
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

TEST(FlashTree, SurroundingBlocksAreInFlashsOrderWithTheirTypes) {
    auto const tree = seventeen(everywhere(Boundary::outflow));
    auto const list = tree.surrounding(1);  // refined, at the low corner
    using Pair = std::array<std::int32_t, 2>;
    EXPECT_EQ(list[13], (Pair{2, 2})) << "itself, a parent of leaves";
    EXPECT_EQ(list[14], (Pair{11, 1})) << "at +x";
    EXPECT_EQ(list[16], (Pair{12, 1})) << "at +y";
    EXPECT_EQ(list[22], (Pair{14, 1})) << "at +z";
    EXPECT_EQ(list[26], (Pair{17, 1})) << "at +x, +y and +z";
    EXPECT_EQ(list[12], (Pair{-32, -1})) << "beyond -x";
    EXPECT_EQ(list[0], (Pair{-32, -1})) << "beyond -x, -y and -z";
    EXPECT_EQ(tree.surrounding(3)[14], (Pair{-1, -1})) << "a coarser leaf is at +x";
    for (std::size_t b = 0; b < tree.size(); ++b) {
        auto const faces = tree.gid(b);
        for (auto const& [face, place] : {std::pair{0, 12}, {1, 14}, {2, 10}, {3, 16}, {4, 4}, {5, 22}}) {
            EXPECT_EQ(tree.surrounding(b).at(static_cast<std::size_t>(place))[0],
                      faces.at(static_cast<std::size_t>(face)));
        }
    }
}

TEST(FlashTree, ABoundaryGivesItsCodeOrWraps) {
    EXPECT_EQ(seventeen(everywhere(Boundary::reflecting)).gid(10)[1], -31);
    auto const periodic = seventeen(everywhere(Boundary::periodic));
    EXPECT_EQ(periodic.gid(10)[1], 2);
    EXPECT_EQ(periodic.gid(0)[0], 1);  // the only root is its own neighbour
}

TEST(FlashTree, TypesAndChildrenAreNumberedAsInFlash) {
    auto const tree = seventeen(everywhere(Boundary::outflow));
    EXPECT_EQ(tree.node_type(0), 2);
    EXPECT_EQ(tree.node_type(1), 2);
    EXPECT_EQ(tree.node_type(2), 1);
    EXPECT_EQ(tree.which_child(0), -1);
    EXPECT_EQ(tree.which_child(1), 1);
    EXPECT_EQ(tree.which_child(3), 2);
    EXPECT_EQ(tree.which_child(16), 8);
}

TEST(FlashTree, LeavesWeighTwiceAsMuchAsParents) {
    auto const tree = seventeen(everywhere(Boundary::outflow));  // 15 leaves and 2 parents weigh 32
    EXPECT_EQ(tree.counts(1), (std::vector<std::uint64_t>{17}));
    EXPECT_EQ(tree.counts(2), (std::vector<std::uint64_t>{9, 8}));
    EXPECT_EQ(tree.counts(3), (std::vector<std::uint64_t>{6, 6, 5}));
    EXPECT_EQ(Tree({1, 1, 1}, everywhere(Boundary::outflow)).counts(5), (std::vector<std::uint64_t>{0, 0, 1, 0, 0}));
}

TEST(FlashTree, RootBlocksAreInMortonOrderToo) {
    Tree const tree({2, 1, 3}, everywhere(Boundary::outflow));
    constexpr std::array<Triple, 6> places{{{0, 0, 0}, {1, 0, 0}, {0, 0, 1}, {1, 0, 1}, {0, 0, 2}, {1, 0, 2}}};
    ASSERT_EQ(tree.size(), places.size());
    for (std::size_t b = 0; b < tree.size(); ++b) {
        EXPECT_EQ(tree.position(b), (Position{0, places[b]}));
        EXPECT_EQ(tree.gid(b)[6], -1);
    }
    EXPECT_EQ(Tree({3, 3, 1}, everywhere(Boundary::outflow)).position(4).at, (Triple{2, 0, 0}));
}

TEST(FlashTree, BlocksAreCubesThatMeetExactly) {
    Tree tree({3, 1, 2}, everywhere(Boundary::outflow));
    tree = tree.adapted(std::vector{Mark::refine, Mark::keep, Mark::keep, Mark::keep, Mark::keep, Mark::keep}, 2);
    for (std::size_t b = 0; b < tree.size(); ++b) {
        for (std::size_t axis = 0; axis < axes; ++axis) {
            Direction up{};
            up[axis] = 1;
            auto const beside = tree.neighbour(b, up);
            if (beside.kind == Neighbour::Relation::outside) {
                constexpr Corner end{1, 1.0 / 3, 2.0 / 3};
                EXPECT_EQ(tree.upper_corner(b)[axis], end[axis]);
            } else if (beside.kind == Neighbour::Relation::same) {
                EXPECT_EQ(tree.upper_corner(b)[axis], tree.lower_corner(beside.block)[axis]);
            }
            EXPECT_NEAR(tree.upper_corner(b)[axis] - tree.lower_corner(b)[axis], tree.edge(b), 1e-15);
        }
    }
    EXPECT_EQ(tree.edge(0), 1.0 / 3);
    EXPECT_EQ(tree.edge(1), 1.0 / 6);
}

TEST(FlashTree, ANeighbourSaysWhatIsBeyondTheDomain) {
    Tree const tree({2, 2, 2}, {Boundary::outflow, Boundary::periodic, Boundary::reflecting});
    auto const corner = tree.neighbour(0, {-1, -1, -1});
    EXPECT_EQ(corner.kind, Neighbour::Relation::outside);
    EXPECT_EQ(corner.beyond, (std::array{true, false, true}));
    auto const wrapped = tree.neighbour(0, {1, -1, 0});
    EXPECT_EQ(wrapped.kind, Neighbour::Relation::same);
    EXPECT_EQ(tree.position(wrapped.block).at, (Triple{1, 1, 0}));
    EXPECT_EQ(wrapped.beyond, (std::array{false, false, false}));
    EXPECT_EQ(tree.neighbour(5, {0, 0, 0}).block, 5U);
}

TEST(FlashTree, FindsNothingOutside) {
    auto const tree = seventeen(everywhere(Boundary::periodic));
    EXPECT_EQ(tree.find({2, {1, 1, 1}}), 9U);
    for (auto const& p : {Position{2, {2, 0, 0}}, {1, {2, 0, 0}}, {1, {0, -1, 0}}, {-1, {0, 0, 0}}, {20, {0, 0, 0}}}) {
        EXPECT_EQ(tree.find(p), std::nullopt);
    }
}

TEST(FlashTree, MarksOfParentsDoNotCount) {
    auto const tree = seventeen(everywhere(Boundary::outflow));
    std::vector<Mark> marks(tree.size(), Mark::keep);
    marks[0] = Mark::coarsen;
    marks[1] = Mark::refine;
    EXPECT_EQ(tree.adapted(marks, 9), tree);
}

TEST(FlashTree, SeveralLevelsVanishAtOnceOnlyFromFamiliesOfLeaves) {
    auto const tree = seventeen(everywhere(Boundary::outflow));
    auto const nine = tree.adapted(std::vector<Mark>(tree.size(), Mark::coarsen), 3);
    EXPECT_EQ(nine.size(), 9U);
    auto const root = nine.adapted(std::vector<Mark>(nine.size(), Mark::coarsen), 3);
    EXPECT_EQ(root.size(), 1U);
    EXPECT_EQ(root.adapted(std::vector{Mark::coarsen}, 3), root);
}

TEST(FlashTree, ALimitOfLevelsRemovesNoneThatAreThere) {
    auto const tree = seventeen(everywhere(Boundary::outflow));
    EXPECT_EQ(tree.adapted(std::vector<Mark>(tree.size(), Mark::refine), 1), tree);
}

TEST(FlashTree, IsAsDeepAsItsKeys) {
    Tree tree({1, 1, 1}, everywhere(Boundary::outflow));
    for (auto step = 0; step < 25; ++step) {
        std::vector<Mark> marks(tree.size(), Mark::keep);
        marks.back() = Mark::refine;
        tree = tree.adapted(marks, 100);
    }
    EXPECT_EQ(tree.levels(), 20);
    EXPECT_EQ(tree.position(tree.size() - 1), (Position{19, {524287, 524287, 524287}}));
    EXPECT_EQ(tree.size(), 1U + 19 * 8);
    EXPECT_EQ(deepest_level({2, 1, 3}), 17);
    EXPECT_EQ(deepest_level({1 << 19, 1, 1}), 0);
}

TEST(FlashTree, RefusesRootsThatItCannotNumber) {
    for (auto const& roots : {Triple{0, 1, 1}, {1, -1, 1}, {1, 1, (1 << 19) + 1}, {1 << 16, 1 << 15, 1}}) {
        testing::expect_error(ExitCode::usage, "root blocks", [&] { Tree(roots, everywhere(Boundary::outflow)); });
    }
}

}  // namespace
}  // namespace weir::flash
