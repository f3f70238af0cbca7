#include "comm/other_nodes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace weir {
namespace {

using Nodes = std::vector<std::uint64_t>;

/// Ranks that get a part of their own node.
std::size_t at_home(Nodes const& nodes, std::uint64_t shift) {
    std::size_t count = 0;
    for (std::size_t rank = 0; rank < nodes.size(); ++rank) {
        count += nodes[rank] == nodes[(rank + shift) % nodes.size()] ? 1 : 0;
    }
    return count;
}

TEST(OtherNodes, ShiftsByANodeWhereRanksAreNodeAfterNode) {
    OtherNodes shifts({0, 0, 2, 2, 4, 4});
    EXPECT_EQ(shifts.next(), 2U);
    EXPECT_EQ(shifts.next(), 4U) << "not 3: one of each node's ranks would get what its node has had";
    EXPECT_NE(shifts.next(), 0U);
}

TEST(OtherNodes, AreFoundWhereRanksTakeTurns) {
    Nodes const two{0, 1, 0, 1};
    OtherNodes of_two(two);
    EXPECT_EQ(at_home(two, of_two.next()), 0U);
    EXPECT_EQ(at_home(two, of_two.next()), 0U);
    Nodes const three{0, 1, 2, 0, 1, 2};
    OtherNodes of_three(three);
    EXPECT_EQ(at_home(three, of_three.next()), 0U);
}

TEST(OtherNodes, AreFoundForUnevenNodesAsFarAsThereAreOthers) {
    Nodes const uneven{0, 0, 2, 3};
    EXPECT_EQ(at_home(uneven, OtherNodes(uneven).next()), 0U);
    Nodes const most_on_one{0, 0, 0, 3};  // two of the three must stay at home
    EXPECT_EQ(at_home(most_on_one, OtherNodes(most_on_one).next()), 2U);
}

TEST(OtherNodes, AreOtherRanksOnOneNode) {
    EXPECT_EQ(OtherNodes({0}).next(), 0U);
    OtherNodes shifts({7, 7, 7});
    EXPECT_EQ(shifts.next(), 1U);
    EXPECT_EQ(shifts.next(), 2U);
    EXPECT_EQ(shifts.next(), 1U);
}

TEST(OtherNodes, NoShiftIsBetterThanTheOneChosen) {
    std::mt19937 random(1);
    for (int turn = 0; turn < 200; ++turn) {
        Nodes nodes(2 + random() % 9);
        std::ranges::generate(nodes, [&] { return random() % 4; });
        auto const chosen = OtherNodes(nodes).next();
        ASSERT_GT(chosen, 0U);
        for (std::uint64_t shift = 1; shift < nodes.size(); ++shift) {
            ASSERT_LE(at_home(nodes, chosen), at_home(nodes, shift));
        }
    }
}

}  // namespace
}  // namespace weir
