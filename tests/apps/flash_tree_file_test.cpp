// Trees from files' lists of blocks, and the neighbour lists beside them: what is refused.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "apps/flash/tree/tree.hpp"
#include "support/failures/error_of.hpp"

namespace weir::flash {
namespace {

using testing::expect_error;

constexpr Boundaries mixed_boundaries{Boundary::outflow, Boundary::periodic, Boundary::reflecting};
constexpr Triple two_roots{2, 1, 1};

/// 2 roots, their 16 children, and the 8 children of block 2, which touches only children of block 1 and of itself.
std::vector<Position> whole_tree() {
    std::vector<Position> blocks;
    for (Index root = 0; root < 2; ++root) {
        blocks.push_back({0, {root, 0, 0}});
        for (auto k = 0; k < children; ++k) {
            blocks.push_back(child_of({0, {root, 0, 0}}, k));
        }
    }
    for (auto k = 0; k < children; ++k) {
        blocks.push_back(child_of({1, {0, 0, 0}}, k));
    }
    return blocks;
}

std::vector<Position> whole_without(std::initializer_list<std::size_t> numbers) {
    std::vector<Position> blocks;
    for (auto const all = whole_tree(); auto const& p : all) {
        auto const number = static_cast<std::size_t>(&p - all.data()) + 1;
        if (std::ranges::find(numbers, number) == numbers.end()) {
            blocks.push_back(p);
        }
    }
    return blocks;
}

std::vector<Position> whole_with(Position const& p) {
    auto blocks = whole_tree();
    blocks.push_back(p);
    return blocks;
}

void expect_refused(std::vector<Position> const& blocks, std::string_view reason) {
    auto const read = [&] { Tree::of(two_roots, mixed_boundaries, blocks, "a file"); };
    expect_error(ExitCode::usage, reason, read, &Diagnosis::reason);
    expect_error(ExitCode::usage, "a file", read, &Diagnosis::problem);
}

TEST(FlashTreeOfBlocks, IsTakenWhole) {
    auto const tree = Tree::of(two_roots, mixed_boundaries, whole_tree());
    EXPECT_EQ(tree.size(), 26U);
    EXPECT_EQ(tree.levels(), 3);
    EXPECT_EQ(tree.position(2), (Position{2, {0, 0, 0}}));
}

TEST(FlashTreeOfBlocks, RefusesABlockThatIsThereTwice) {
    expect_refused(whole_with({1, {3, 1, 0}}), "blocks 14 and 27 are the same (refine level 2, place 3,1,0)");
}

TEST(FlashTreeOfBlocks, RefusesAMissingSibling) {
    expect_refused(whole_without({20}),
                   "block 2 (refine level 2, place 0,0,0) cannot be there: its child 2 is missing");
    expect_refused(whole_without({19}),
                   "block 2 (refine level 2, place 0,0,0) cannot be there: its child 1 is missing");
}

TEST(FlashTreeOfBlocks, RefusesAMissingParent) {
    expect_refused(whole_with({3, {7, 0, 0}}), "block 27 (refine level 4, place 7,0,0) cannot be there: its parent is");
}

TEST(FlashTreeOfBlocks, RefusesMissingRoots) {
    expect_refused({}, "the root block at 0,0,0 is missing");
    expect_refused(whole_without({10, 11, 12, 13, 14, 15, 16, 17, 18}), "the root block at 1,0,0 is missing");
}

TEST(FlashTreeOfBlocks, RefusesNeighboursOfTwoLevelsMoreOrLess) {
    // Without the children of the second root, those of block 3, which touches it, are two levels finer.
    auto blocks = whole_without({11, 12, 13, 14, 15, 16, 17, 18});
    EXPECT_EQ(Tree::of(two_roots, mixed_boundaries, blocks).size(), 18U);
    for (auto k = 0; k < children; ++k) {
        blocks.push_back(child_of({1, {1, 0, 0}}, k));
    }
    expect_refused(blocks, "block 3 (refine level 2, place 1,0,0) cannot be there: its children are two levels finer");
}

TEST(FlashTreeOfBlocks, BalanceReachesOverFacesEdgesAndCorners) {
    // Of 27 roots the middle one has a child with children, and the root at one of its sides has none at all.
    for (auto coarse = 0; coarse < 27; ++coarse) {
        Direction const side{coarse % 3 - 1, coarse / 3 % 3 - 1, coarse / 9 - 1};
        std::vector<Position> blocks;
        auto const add_children = [&](Position const& p) {
            for (auto k = 0; k < children; ++k) {
                blocks.push_back(child_of(p, k));
            }
        };
        for (auto root = 0; root < 27; ++root) {
            Position const p{0, {root % 3, root / 3 % 3, root / 9}};
            blocks.push_back(p);
            if (root != coarse || side == Direction{}) {
                add_children(p);
            }
        }
        add_children({1, {2 + (side[0] > 0), 2 + (side[1] > 0), 2 + (side[2] > 0)}});
        auto const read = [&] { Tree::of({3, 3, 3}, mixed_boundaries, blocks); };
        if (side == Direction{}) {
            read();
        } else {
            expect_error(ExitCode::usage, "two levels finer", read);
        }
    }
}

TEST(FlashTreeOfBlocks, BalanceReachesThroughAPeriodicBoundary) {
    std::vector<Position> blocks;
    for (Index root = 0; root < 3; ++root) {
        blocks.push_back({0, {root, 0, 0}});
    }
    for (auto k = 0; k < children; ++k) {
        blocks.push_back(child_of({0, {0, 0, 0}}, k));
    }
    for (auto k = 0; k < children; ++k) {
        blocks.push_back(child_of({0, {1, 0, 0}}, k));
    }
    for (auto k = 0; k < children; ++k) {
        blocks.push_back(child_of({1, {0, 0, 0}}, k));
    }
    EXPECT_EQ(Tree::of({3, 1, 1}, mixed_boundaries, blocks).size(), 27U);
    Boundaries const periodic{Boundary::periodic, Boundary::outflow, Boundary::outflow};
    expect_error(ExitCode::usage, "block 4 (refine level 2, place 0,0,0) cannot be there: its children are two levels",
                 [&] {
                     Tree::of({3, 1, 1}, periodic, blocks);
                 });
}

TEST(FlashTreeOfBlocks, RefusesBlocksOutside) {
    for (auto const& p : {Position{0, {2, 0, 0}},
                          {1, {0, 2, 0}},
                          {2, {0, 0, -1}},
                          {-1, {0, 0, 0}},
                          {19, {0, 0, 0}},
                          {1000, {0, 0, 0}}}) {
        expect_refused(whole_with(p), "block 27");
        expect_refused(whole_with(p), "is outside of 2x1x1 root blocks with up to 19 levels");
    }
}

std::vector<std::int32_t> lists_of(Tree const& tree) {
    std::vector<std::int32_t> lists;
    for (std::size_t b = 0; b < tree.size(); ++b) {
        auto const gid = tree.gid(b);
        lists.insert(lists.end(), gid.begin(), gid.end());
    }
    return lists;
}

TEST(FlashNeighbourLists, EveryWrongNumberIsFoundAndItsBlockNamed) {
    auto const tree = Tree::of(two_roots, mixed_boundaries, whole_tree());
    auto lists = lists_of(tree);
    check_neighbours(tree, lists, "a file");
    for (std::size_t i = 0; i < lists.size(); ++i) {
        auto const right = lists[i];
        for (auto const wrong : {right + 1, -40, 1000000}) {
            lists[i] = wrong;
            expect_error(ExitCode::usage, fmt::format("the neighbour list of block {} in a file is wrong", i / 15 + 1),
                         [&] { check_neighbours(tree, lists, "a file"); });
        }
        lists[i] = right;
    }
}

TEST(FlashNeighbourLists, ARefusalSaysWhatIsWrong) {
    auto const tree = Tree::of(two_roots, mixed_boundaries, whole_tree());
    auto lists = lists_of(tree);
    lists[1] = 7;
    lists[40] = 7;
    expect_error(ExitCode::usage, "its neighbour at +x is 7, but by the places of the blocks it is 18",
                 [&] { check_neighbours(tree, lists, "a file"); });
}

TEST(FlashNeighbourLists, TheirNumberIsThatOfTheBlocks) {
    auto const tree = Tree::of(two_roots, mixed_boundaries, whole_tree());
    auto lists = lists_of(tree);
    lists.pop_back();
    expect_error(ExitCode::usage, "389 numbers, not 15 for each of 26 blocks",
                 [&] { check_neighbours(tree, lists, "a file"); });
}

}  // namespace
}  // namespace weir::flash
