#include <gtest/gtest.h>

#include "bench/compute/noise/lost_time.hpp"

namespace weir {
namespace {

/// Each reading takes 0.1 us; some, other work comes between.
class InterruptedClock final : public Clock {
  public:
    [[nodiscard]] double now_s() const override {
        ++readings_;
        now_s_ += readings_ == 100    ? 1.1e-6
                  : readings_ == 200  ? 0.9e-6
                  : readings_ == 300  ? 3e-3
                  : readings_ == 5000 ? 7e-3
                                      : 1e-7;
        return now_s_;
    }
    void sleep(Seconds) override {}

  private:
    mutable double now_s_ = 5;
    mutable int readings_ = 0;
};

TEST(LostTime, IsWhatPassesBetweenTwoReadings) {
    auto const found = watch_clock(InterruptedClock(), 0.02);
    EXPECT_NEAR(found.lost_s, 10.0011e-3, 1e-9) << "what is longer than 1 us";
    EXPECT_NEAR(found.longest_s, 7e-3, 1e-9);
    EXPECT_NEAR(found.elapsed_s, 20e-3, 1e-6);
    EXPECT_EQ(found.detours, 3U);
}

TEST(LostTime, IsToldOfAllRanksAndOfTheWorst) {
    auto const metrics = metrics_of({{.lost_s = 0.01, .longest_s = 4e-3, .elapsed_s = 1, .detours = 5},
                                     {.lost_s = 0.03, .longest_s = 9e-3, .elapsed_s = 1, .detours = 9},
                                     {.lost_s = 0.00, .longest_s = 0, .elapsed_s = 2, .detours = 0}});
    ASSERT_EQ(metrics.size(), 3U);
    EXPECT_NEAR(metrics[0].value.value_or(-1), 0.01, 1e-12);
    EXPECT_NEAR(metrics[1].value.value_or(-1), 0.03, 1e-12);
    EXPECT_EQ(metrics[2].key, "longest_us");
    EXPECT_NEAR(metrics[2].value.value_or(-1), 9000, 1e-9);
}

}  // namespace
}  // namespace weir
