#include "core/latency.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <vector>

#include "core/error.hpp"
#include "core/random.hpp"

namespace weir {
namespace {

/// Durations over nine orders of magnitude, each as likely.
std::vector<double> durations(std::uint64_t seed, std::size_t count) {
    std::vector<double> result;
    for (std::size_t i = 0; i < count; ++i) {
        auto const share = static_cast<double>(mix(seed + i) >> 11U) / static_cast<double>(1ULL << 53U);
        result.push_back(2e-9 * std::pow(10.0, 9 * share));
    }
    return result;
}

LatencySketch sketch_of(std::vector<double> const& values) {
    LatencySketch sketch;
    for (auto const value : values) {
        sketch.add(value);
    }
    return sketch;
}

TEST(LatencySketch, PercentilesAreWithinItsErrorOfTheSortedValues) {
    auto values = durations(1, 20'000);
    auto const sketch = sketch_of(values);
    std::sort(values.begin(), values.end());
    for (auto const share : {0.01, 0.5, 0.9, 0.95, 0.99, 0.999}) {
        auto const exact = values.at(static_cast<std::size_t>(std::ceil(share * 20'000)) - 1);
        // Durations of a few ns lie in bins of a whole ns.
        EXPECT_NEAR(*sketch.percentile_s(share), exact, exact * LatencySketch::relative_error + 1e-9) << share;
    }
    EXPECT_EQ(sketch.count(), 20'000U);
    EXPECT_EQ(sketch.max_s(), values.back());
    EXPECT_EQ(sketch.to_json()["min_s"], values.front());
}

TEST(LatencySketch, PartsAddUpToTheWhole) {
    auto const values = durations(7, 1000);
    LatencySketch whole;
    LatencySketch left;
    LatencySketch right;
    for (std::size_t i = 0; i < values.size(); ++i) {
        whole.add(values[i]);
        (i % 3 == 0 ? left : right).add(values[i]);
    }
    left.add(right);
    left.add(LatencySketch());
    auto sum = left.to_json();
    auto all = whole.to_json();
    EXPECT_NEAR(sum["mean_s"].get<double>(), all["mean_s"].get<double>(), 1e-12);
    sum.erase("mean_s");
    all.erase("mean_s");
    EXPECT_EQ(sum, all);
}

TEST(LatencySketch, OfAnOddNumberTheMedianIsTheMiddleOne) {
    auto const sketch = sketch_of({1e-6, 1e-5, 1e-3, 1e-2, 1e-1});
    EXPECT_NEAR(*sketch.percentile_s(0.5), 1e-3, 1e-3 * LatencySketch::relative_error);
}

TEST(LatencySketch, BeginsWithWhatIsAddedToNothing) {
    auto const one = sketch_of({2e-6, 3e-6});
    LatencySketch sum;
    sum.add(one);
    EXPECT_EQ(sum.to_json(), one.to_json());
}

TEST(LatencySketch, HistogramCountsEveryDurationBelowItsBound) {
    // 0: of a clock that stood still.
    auto const histogram = sketch_of({0, 1.5e-6, 1.5e-6, 3600}).to_json()["histogram"];
    ASSERT_EQ(histogram.size(), 3U);
    EXPECT_EQ(histogram[1][1], 2U);
    EXPECT_GE(histogram[1][0].get<double>(), 1.5e-6);
    EXPECT_LE(histogram[1][0].get<double>(), 1.5e-6 * 1.07);
    EXPECT_GE(histogram[2][0].get<double>(), 3600);
}

TEST(LatencySketch, TellsNoPercentileOfTooFewDurations) {
    EXPECT_TRUE(LatencySketch().to_json().is_null());
    auto sketch = sketch_of(std::vector<double>(999, 1e-3));
    EXPECT_FALSE(sketch.percentile_s(0.999));
    EXPECT_TRUE(sketch.to_json()["p99_9_s"].is_null());
    sketch.add(1e-3);
    EXPECT_EQ(sketch.percentile_s(0.999), 1e-3);
}

TEST(Spread, SaysWhichIsSlowest) {
    auto const s = spread(std::array{2.0, 5.0, 2.0});
    EXPECT_DOUBLE_EQ(s.min, 2);
    EXPECT_DOUBLE_EQ(s.mean, 3);
    EXPECT_DOUBLE_EQ(s.max, 5);
    EXPECT_EQ(s.argmax, 1U);
}

TEST(Spread, NeedsAValue) { EXPECT_THROW(spread({}), ContractError); }

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
