#include "core/latency.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace weir {
namespace {

std::uint64_t sum(Timeline const& timeline) {
    auto const bytes = timeline.bytes();
    return std::accumulate(bytes.begin(), bytes.end(), std::uint64_t{0});
}

TEST(Timeline, PutsBytesWhereTheirTimeIs) {
    Timeline timeline;
    timeline.add(-1, 5);
    timeline.add(0.0025, 7);
    EXPECT_EQ(timeline.bytes(), (std::vector<std::uint64_t>{5, 0, 7}));
    EXPECT_TRUE(Timeline().bytes().empty());
}

TEST(Timeline, StaysBoundedAndLosesNothing) {
    Timeline timeline;
    for (int second = 0; second < 10'000; ++second) {
        timeline.add(second, 3);
    }
    EXPECT_LE(timeline.bytes().size(), Timeline::most_intervals);
    EXPECT_GT(timeline.bytes().size(), Timeline::most_intervals / 2);
    EXPECT_EQ(sum(timeline), 30'000U);
    EXPECT_DOUBLE_EQ(timeline.interval_s(), 0.001 * (1 << 17));
    EXPECT_EQ(timeline.bytes().front(), 3U * 132);  // the seconds 0 to 131 lie below 131.072 s
}

TEST(Timeline, OfSeveralRanksAddsUpOnTheCoarserIntervals) {
    Timeline quick;
    quick.add(0.0005, 1);
    quick.add(0.0105, 2);
    Timeline slow;
    slow.add(0.5, 10);
    auto both = quick;
    both.add(slow);
    auto other_way = slow;
    other_way.add(quick);
    EXPECT_EQ(both.bytes(), other_way.bytes());
    EXPECT_EQ(sum(both), 13U);
    EXPECT_DOUBLE_EQ(both.interval_s(), 0.004);
    EXPECT_EQ(both.bytes().at(2), 2U);
}

}  // namespace
}  // namespace weir
