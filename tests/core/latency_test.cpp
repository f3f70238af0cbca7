#include "core/latency.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

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

}  // namespace
}  // namespace weir
