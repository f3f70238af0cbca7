#include "core/random.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace weir {
namespace {

TEST(Shuffle, SendsEachIndexToItsOwnPlace) {
    for (std::uint64_t n : {1U, 2U, 3U, 5U, 16U, 17U, 1000U, 4096U, 65537U}) {
        Shuffle const shuffle(n, 42);
        std::vector<bool> taken(n, false);
        for (std::uint64_t i = 0; i < n; ++i) {
            auto const place = shuffle(i);
            ASSERT_LT(place, n);
            ASSERT_FALSE(taken[place]) << "n = " << n << ", i = " << i;
            taken[place] = true;
            ASSERT_EQ(shuffle.inverse(place), i);
        }
    }
}

TEST(Shuffle, DependsOnItsSeed) {
    Shuffle const a(1000, 1);
    Shuffle const b(1000, 2);
    int same = 0;
    for (std::uint64_t i = 0; i < 1000; ++i) {
        same += a(i) == b(i) ? 1 : 0;
    }
    EXPECT_LT(same, 20);
}

TEST(Shuffle, BreaksRuns) {
    // Of a random order about 2 in n neighbours stay neighbours; a device that reads ahead must find no more to guess.
    Shuffle const shuffle(10000, 7);
    int runs = 0;
    for (std::uint64_t i = 0; i + 1 < 10000; ++i) {
        runs += shuffle(i + 1) == shuffle(i) + 1 ? 1 : 0;
    }
    EXPECT_LT(runs, 20);
}

TEST(Below, StaysBelowAndCoversAll) {
    std::vector<int> hits(7, 0);
    for (std::uint64_t i = 0; i < 7000; ++i) {
        ++hits.at(below(7, mix(i)));
    }
    for (auto const count : hits) {
        EXPECT_NEAR(count, 1000, 150);
    }
}

}  // namespace
}  // namespace weir
