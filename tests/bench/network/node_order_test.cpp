#include "bench/network/node_order.hpp"

#include <gtest/gtest.h>

namespace weir {
namespace {

using Numbers = std::vector<std::uint64_t>;

TEST(NodeOrder, TakesOneRankOfEachNodeInTurn) {
    EXPECT_EQ(places_in_turn({0, 0, 1, 1}), (Numbers{0, 2, 1, 3}));
    EXPECT_EQ(places_in_turn({0, 0, 0, 1}), (Numbers{0, 2, 3, 1}));
    EXPECT_EQ(places_in_turn({0, 1, 2, 0, 1, 2}), (Numbers{0, 1, 2, 3, 4, 5}));
    EXPECT_EQ(places_in_turn({0, 0, 0}), (Numbers{0, 1, 2})) << "of one node as they are";
    EXPECT_EQ(places_in_turn({}), Numbers{});
}

TEST(NodeOrder, TellsTheNodesOfTheGroupWithFewest) {
    EXPECT_EQ(fewest_nodes({{0, 0}, {0, 1}, {0, 2}}), 3U);
    EXPECT_EQ(fewest_nodes({{0, 0}, {0, 1}, {1, 1}, {1, 1}}), 1U);
    EXPECT_EQ(fewest_nodes({}), 0U);
}

}  // namespace
}  // namespace weir
