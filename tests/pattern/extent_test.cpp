#include "pattern/extent.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "pattern/operations.hpp"
#include "support/trials.hpp"

namespace weir {
namespace {

/// All pieces of a nest, the slow way.
std::vector<std::int64_t> places(std::vector<Level> const& levels) {
    std::vector<std::int64_t> result{0};
    for (auto const& level : levels) {
        std::vector<std::int64_t> next;
        for (auto const place : result) {
            for (std::uint64_t i = 0; i < level.count; ++i) {
                next.push_back(place + static_cast<std::int64_t>(i) * level.stride);
            }
        }
        result = next;
    }
    return result;
}

std::vector<Level> random_nest(std::mt19937& random) {
    std::vector<Level> levels(random() % 4);
    for (auto& level : levels) {
        level = {1 + random() % 4, static_cast<std::int64_t>(random() % 5) * 8};
    }
    return levels;
}

TEST(Displacement, AgreesWithWalkingTheNest) {
    testing::each_trial<std::mt19937>(200, 1, [&](std::mt19937& random) {
        auto const levels = random_nest(random);
        auto const expected = places(levels);
        ASSERT_EQ(pieces(levels), expected.size());
        for (std::uint64_t i = 0; i < expected.size(); ++i) {
            ASSERT_EQ(displacement(levels, i), expected[i]);
        }
    });
}

TEST(Merged, HasTheSamePlacesInTheSameOrder) {
    testing::each_trial<std::mt19937>(500, 2, [&](std::mt19937& random) {
        auto const levels = random_nest(random);
        ASSERT_EQ(places(merged(levels)), places(levels));
    });
}

TEST(Merged, JoinsLevelsThatContinueEachOther) {
    EXPECT_EQ(merged({{4, 64}, {8, 8}}), (std::vector<Level>{{32, 8}}));
    EXPECT_EQ(merged({{4, 128}, {1, 99}, {8, 8}}), (std::vector<Level>{{4, 128}, {8, 8}}));
    EXPECT_TRUE(merged({{1, 5}}).empty());
}

TEST(Coalesced, MakesTouchingPiecesOne) {
    EXPECT_EQ(coalesced({100, {{2, 1000}, {10, 10}}, 10}), (Extent{100, {{2, 1000}}, 100}));
    EXPECT_EQ(coalesced({0, {{4, 40}, {4, 10}}, 10}), (Extent{0, {}, 160}));
    EXPECT_EQ(coalesced({0, {{4, 20}}, 10}), (Extent{0, {{4, 20}}, 10}));
}

TEST(EndOf, IsOnePastTheLastByte) {
    EXPECT_EQ(end_of(Extent{8, {{3, 100}, {2, 10}}, 4}), 8U + 200 + 10 + 4);
    EXPECT_EQ(end_of(Extent{500, {{3, -100}}, 4}), 504U);
}

}  // namespace
}  // namespace weir
