#include "pattern/rank.hpp"

#include <gtest/gtest.h>

#include <random>

namespace weir {
namespace {

TEST(RankSets, HaveSoManyRanksInCommon) {
    std::mt19937 random(11);
    for (int trial = 0; trial < 5000; ++trial) {
        auto const any = [&] { return RankSet{random() % 30, 1 + random() % 12, 1 + random() % 9}; };
        auto const a = any();
        auto const b = any();
        std::uint64_t counted = 0;
        for (std::uint64_t rank = 0; rank < 200; ++rank) {
            counted += a.contains(Rank{rank}) && b.contains(Rank{rank}) ? 1 : 0;
        }
        ASSERT_EQ(common(a, b), counted) << a.first << " " << a.count << " " << a.step << " and " << b.first << " "
                                         << b.count << " " << b.step;
        ASSERT_EQ(common(b, a), counted);
    }
}

TEST(RankSets, HaveRanksInCommonHoweverManyTheyAre) {
    auto const many = std::uint64_t{1} << 61;
    EXPECT_EQ(common({0, many, 2}, {1, many, 2}), 0U);
    EXPECT_EQ(common({0, many, 2}, {0, many, 1}), many / 2);
}

TEST(Ranks, NoneListedAreAll) {
    EXPECT_TRUE(contains({}, Rank{7}));
    EXPECT_EQ(size_of({}, 9), 9U);
    Ranks const some{{4, 2, 3}, {0, 1, 5}};
    EXPECT_TRUE(contains(some, Rank{7}));
    EXPECT_FALSE(contains(some, Rank{5}));
    EXPECT_EQ(size_of(some, 9), 3U);
}

TEST(Ranks, AreTheSameInWhateverNotation) {
    EXPECT_EQ(canonical({{0, 4, 1}}, 4), Ranks());
    EXPECT_EQ(canonical({{0, 4, 1}}, 5), (Ranks{{0, 4, 1}}));
    EXPECT_EQ(canonical({{3, 1, 7}, {0, 1, 1}}, 5), (Ranks{{0, 1, 1}, {3, 1, 1}}));
    EXPECT_EQ(canonical({{0, 1, 3}}, 1), Ranks());
}

}  // namespace
}  // namespace weir
