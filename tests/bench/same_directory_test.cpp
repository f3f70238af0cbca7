#include "bench/same_directory.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace weir {
namespace {

std::string said(std::vector<NodeSight> const& nodes) {
    auto const apart = judge_sight(nodes);
    return apart ? not_shared("/scratch", *apart).what() : "";
}

TEST(SameDirectory, IsOneIfEachNodeSeesTheFirstAndTheNext) {
    EXPECT_EQ(said({{0, "a", true, true}}), "");
    EXPECT_EQ(said({{0, "a", true, true}, {2, "b", true, true}, {4, "c", true, true}}), "");
}

TEST(SameDirectory, NamesTheNodeThatDoesNotSeeTheFirst) {
    // What the last node, which has another directory, is to put there, its neighbour does not see either.
    EXPECT_EQ(said({{0, "a", true, true}, {2, "b", true, false}, {4, "c", false, false}}),
              "'/scratch' is not one directory for all nodes (c does not see what a makes there). Name a directory of "
              "a file system that all nodes have mounted.");
    EXPECT_EQ(judge_sight(std::vector<NodeSight>{{0, "a", true, false}, {2, "b", false, false}})->looker_rank, 2U);
}

TEST(SameDirectory, CountsTheOthers) {
    auto const apart =
        judge_sight(std::vector<NodeSight>{{0, "a", true, false}, {1, "b", false, false}, {2, "c", false, false}});
    ASSERT_TRUE(apart);
    EXPECT_EQ(apart->looker, "b");
    EXPECT_EQ(apart->others, 1U);
}

/// As in containers whose changes to a common file system are their own.
TEST(SameDirectory, NamesNodesThatSeeTheFirstOnesWorkAndNoOthers) {
    EXPECT_EQ(said({{0, "a", true, false}, {2, "b", true, false}}),
              "'/scratch' is not one directory for all nodes (a does not see what b makes there; 2 nodes in all "
              "miss what others made). Name a directory of a file system that all nodes have mounted.");
}

}  // namespace
}  // namespace weir
