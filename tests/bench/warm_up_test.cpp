#include "bench/warm_up.hpp"
#include "core/json.hpp"

#include <gtest/gtest.h>

namespace weir {
namespace {

TEST(JudgeWarmUp, IsSilentWhereMemoryWasFast) {
    EXPECT_FALSE(judge_warm_up({}).has_value()) << "nothing was touched";
    EXPECT_FALSE(judge_warm_up({1 << 20, 0.3e-6, 0.1e-6}).has_value());
}

TEST(JudgeWarmUp, IsSilentWhereMemoryIsAsSlowTheSecondTime) {
    EXPECT_FALSE(judge_warm_up({1 << 20, 3e-6, 2e-6}).has_value());
}

TEST(JudgeWarmUp, SeesMemoryThatWasSlowTheFirstTimeOnly) {
    auto const warning = judge_warm_up({1 << 20, 8e-6, 0.5e-6});
    ASSERT_TRUE(warning.has_value());
    EXPECT_EQ(warning->code, "cold-memory");
    EXPECT_NE(warning->problem.find("8.0 µs a page, 0.5 µs when touched again"), std::string::npos) << warning->problem;
}

TEST(WarmUp, IsNullWhereNothingWasTouched) {
    EXPECT_TRUE(to_json(WarmUp{}).is_null());
    EXPECT_EQ(to_json(WarmUp{4096, 2e-6, 1e-6}),
              (Json{{"bytes", 4096}, {"first_s_per_page", 2e-6}, {"again_s_per_page", 1e-6}}));
}

TEST(WarmMemory, TouchesWhatItIsAsked) {
    EXPECT_EQ(warm_memory(Communicator(), 1 << 20, MonotonicClock()).bytes, 1U << 20);
    EXPECT_EQ(warm_memory(Communicator(), 0, MonotonicClock()).bytes, 0U);
}

/// Each look at it takes a millisecond: touching a sample of 32 MiB looks as fast as 32 GiB/s.
class TickingClock final : public Clock {
  public:
    [[nodiscard]] double now_s() const override { return now_s_ += 1.0 / 1024; }
    void sleep(Seconds) override {}

  private:
    mutable double now_s_ = 0;
};

constexpr std::uint64_t mebibyte = 1 << 20;
constexpr std::uint64_t tebibyte = 1ULL << 40;

TEST(WarmForCases, TouchesWhatTheTimeLimitAllows) {
    CacheFill const limited{tebibyte, Seconds{1.0 / 512}, mebibyte};
    EXPECT_EQ(warm_for_cases(Communicator(), {limited}, TickingClock()).bytes, (80 + 1) * mebibyte)
        << "a quarter more than can be touched in that time, and the last request";
}

TEST(WarmForCases, TouchesAsMuchAsTheGreediestCaseNeeds) {
    CacheFill const limited{tebibyte, Seconds{1.0 / 1024}, 0};
    EXPECT_EQ(warm_for_cases(Communicator(), {limited, {64 * mebibyte}, {1}}, TickingClock()).bytes, 64 * mebibyte);
    EXPECT_EQ(warm_for_cases(Communicator(), {{4096}, limited}, TickingClock()).bytes, 40 * mebibyte);
    EXPECT_EQ(warm_for_cases(Communicator(), {}, TickingClock()).bytes, 0U);
}

TEST(ShareOfNode, IsWhatItsRanksHave) {
    EXPECT_EQ(share_of_node(1000, 4, 4), 1000U) << "one node has all";
    EXPECT_EQ(share_of_node(1000, 1, 4), 250U);
    EXPECT_EQ(share_of_node(0, 1, 4), 0U);
    EXPECT_EQ(share_of_node(10, 2, 3), 8U) << "rounded up for each rank";
    EXPECT_EQ(share_of_node(1ULL << 60, 1024, 2048), 1ULL << 59) << "no overflow";
}

}  // namespace
}  // namespace weir
