#include "bench/network/batch_rule.hpp"

#include <gtest/gtest.h>

namespace weir {
namespace {

/// By the binomial distribution with p = 1/2: 2 P(X < rank) <= error.
TEST(IntervalRank, IsThatOfTheBinomialDistribution) {
    EXPECT_EQ(interval_rank(5, 0.05), 0U);  // 2 / 32 is more than 0.05
    EXPECT_EQ(interval_rank(6, 0.05), 1U);  // 2 / 64
    EXPECT_EQ(interval_rank(8, 0.05), 1U);
    EXPECT_EQ(interval_rank(10, 0.05), 2U);
    EXPECT_EQ(interval_rank(20, 0.05), 6U);
    EXPECT_EQ(interval_rank(100, 0.05), 40U);
    EXPECT_EQ(interval_rank(0, 0.05), 0U);
}

TEST(BatchRule, MakesAsManyCallsAsImbOrAsTimeAllows) {
    BatchRule rule;
    rule.budget_s = 8;
    EXPECT_EQ(rule.calls(0, 1e-6), 1000U);
    EXPECT_EQ(rule.calls(8, 1e-6), 1000U);
    EXPECT_EQ(rule.calls(1U << 20U, 1e-6), 40U);  // 40 MiB / 1 MiB
    EXPECT_EQ(rule.calls(64U << 20U, 1e-6), 1U);
    EXPECT_EQ(rule.calls(64U << 10U, 1e-5), 100U);  // a millisecond
    EXPECT_EQ(rule.calls(8, 1e-3), 10U);
    EXPECT_EQ(rule.calls(8, 0.1), 10U);  // an eighth of 8 s
    EXPECT_EQ(rule.calls(8, 100), 1U);
}

/// Of 20 values the interval is between the 6th from either end: 6 and 15, around 10.5.
TEST(BatchRule, ItsWidthIsThatOfTheInterval) {
    std::vector<double> values(20);
    std::iota(values.begin(), values.end(), 1.0);
    EXPECT_DOUBLE_EQ(BatchRule::width(values, 0.05), 9 / 10.5);
}

TEST(BatchRule, StopsAtItsLooksItsBudgetAndItsMost) {
    BatchRule rule;
    std::vector<double> const same(rule.most, 1.0);
    EXPECT_FALSE(rule.enough(std::span(same).first(8), 0));  // no look: 2 / 256 is more than 0.05 / 7
    EXPECT_FALSE(rule.enough(std::span(same).first(15), 0));
    EXPECT_TRUE(rule.enough(std::span(same).first(16), 0));
    EXPECT_FALSE(rule.enough(std::span(same).first(17), 0));  // no look
    EXPECT_TRUE(rule.enough(std::span(same).first(1), rule.budget_s));
    std::vector<double> uneven(rule.most);
    std::iota(uneven.begin(), uneven.end(), 1.0);
    EXPECT_FALSE(rule.enough(std::span(uneven).first(256), 0));
    EXPECT_TRUE(rule.enough(uneven, 0));
}

/// The share of simulated measurements whose last interval holds the true median; the rule decides when they end.
template <class Noise>
double coverage(double precision, double true_median, Noise noise) {
    constexpr int trials = 1000;
    BatchRule rule;
    rule.precision = precision;
    int covered = 0;
    for (int trial = 0; trial < trials; ++trial) {
        std::mt19937_64 random(static_cast<std::uint64_t>(trial));
        auto next = noise(random);
        std::vector<double> batches;
        do {
            batches.push_back(next());
        } while (!rule.enough(batches, 0));
        constexpr double error = 0.05 / 6;  // six looks, at 16 to 512
        auto const rank = interval_rank(batches.size(), error);
        std::ranges::sort(batches);
        covered += batches[rank - 1] <= true_median && true_median <= batches[batches.size() - rank] ? 1 : 0;
    }
    return static_cast<double>(covered) / trials;
}

TEST(BatchRule, CoversTheMedianOfSkewedNoise) {
    EXPECT_GE(
        coverage(0.2, 1,
                 [](auto& random) { return [&] { return std::lognormal_distribution<double>(0, 0.5)(random); }; }),
        0.95);
}

TEST(BatchRule, CoversTheMedianOfBimodalNoise) {
    EXPECT_GE(coverage(0.1, 1.0 + 0.1 * 2 / 3,
                       [](auto& random) {  // 3 of 4 uniform in [1, 1.1], the others 2 and more
                           return [&] {
                               auto const draw = std::uniform_real_distribution<double>(0, 4)(random);
                               return draw < 3 ? 1 + draw / 30 : draw - 1;
                           };
                       }),
              0.95);
}

/// What it does not promise: noise that lasts for many batches is not told from the level. With a correlation of 0.9
/// between neighbours, fewer than 95 in 100 intervals hold the median.
TEST(BatchRule, DoesNotCoverTheMedianOfLastingNoise) {
    auto const covered = coverage(0.1, 1, [](auto& random) {
        return [&random, level = std::normal_distribution<double>(0, 1)(random)]() mutable {
            level = 0.9 * level + std::sqrt(1 - 0.81) * std::normal_distribution<double>(0, 1)(random);
            return 1 + 0.1 * level;
        };
    });
    RecordProperty("coverage", std::to_string(covered));
    EXPECT_LT(covered, 0.95);
    EXPECT_GT(covered, 0.4);
}

}  // namespace
}  // namespace weir
