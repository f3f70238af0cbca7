#include "array/layout/aggregator_placement.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace weir::array {
namespace {

using Ranks = std::vector<std::uint64_t>;

TEST(ChooseAggregators, SpreadsThemOverNodesAndWithinThem) {
    EXPECT_EQ(place_aggregators({0, 0, 0, 0}, 2), (Ranks{0, 2}));
    EXPECT_EQ(place_aggregators({0, 0, 2, 2}, 2), (Ranks{0, 2}));
    EXPECT_EQ(place_aggregators({0, 0, 2, 2}, 3), (Ranks{0, 1, 2}));
    EXPECT_EQ(place_aggregators({0, 1, 0, 1}, 2), (Ranks{0, 1})) << "ranks dealt out over nodes";
    EXPECT_EQ(place_aggregators({0, 0, 0, 3}, 4), (Ranks{0, 1, 2, 3})) << "a small node has no more than its ranks";
    EXPECT_EQ(place_aggregators({0, 0, 0, 3}, 9), (Ranks{0, 1, 2, 3}));
}

TEST(ChooseAggregators, TakesSoManyDifferentRanksEvenlyOfEachNode) {
    std::mt19937_64 random(1);
    for (int trial = 0; trial < 300; ++trial) {
        Ranks node(1 + random() % 20);
        std::map<std::uint64_t, std::uint64_t> size;
        for (auto& name : node) {
            name = random() % 4;
            ++size[name];
        }
        auto const count = 1 + random() % 22;
        auto const chosen = place_aggregators(node, count);
        ASSERT_EQ(chosen.size(), std::min<std::uint64_t>(count, node.size()));
        std::map<std::uint64_t, std::uint64_t> taken;
        for (std::size_t i = 0; i < chosen.size(); ++i) {
            ASSERT_TRUE(i == 0 || chosen[i - 1] < chosen[i]);
            ++taken[node.at(chosen[i])];
        }
        for (auto const& [a, most] : taken) {
            for (auto const& [b, all] : size) {
                ASSERT_TRUE(taken[b] + 1 >= most || taken[b] == all) << "node " << b << " has some that could help";
            }
        }
    }
}

}  // namespace
}  // namespace weir::array
