#include "sim/rank_tree.hpp"

#include <gtest/gtest.h>

#include <map>

namespace weir::sim {
namespace {

constexpr double hop = 10, gap = 1;

TEST(RankTree, AMemberSendsToOneChildAfterAnotherTheNearestFirst) {
    RankTree tree(6, hop, gap);
    std::map<std::uint64_t, double> ends;
    for (std::uint64_t member = 0; member < 6; ++member) {
        tree.join(member, 0, [&](std::uint64_t one, double at) { ends[one] = at; });
    }
    // 0 sends to 1, 2 and 4, 1 to 3 and 5; a member ends when it has sent all.
    EXPECT_EQ(
        ends,
        (std::map<std::uint64_t, double>{
            {0, 3 * gap}, {1, hop + 2 * gap}, {2, gap + hop}, {3, 2 * hop}, {4, 2 * gap + hop}, {5, hop + gap + hop}}));
    EXPECT_TRUE(tree.is_complete());
}

TEST(RankTree, DataWaitForWhoComesLater) {
    RankTree tree(4, hop, gap);
    std::map<std::uint64_t, double> ends;
    auto const end = [&](std::uint64_t one, double at) { ends[one] = at; };
    tree.join(3, 0, end);
    tree.join(0, 5, end);
    EXPECT_EQ(ends, (std::map<std::uint64_t, double>{{0, 5 + 2 * gap}}));
    tree.join(1, 50, end);
    EXPECT_EQ(ends.at(1), 50 + gap);
    EXPECT_EQ(ends.at(3), 50 + hop);
    EXPECT_FALSE(tree.is_complete());
    tree.join(2, 7, end);
    EXPECT_EQ(ends.at(2), 5 + gap + hop) << "it was there before its data";
    EXPECT_TRUE(tree.is_complete());
}

}  // namespace
}  // namespace weir::sim
