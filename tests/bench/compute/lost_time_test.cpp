#include <gtest/gtest.h>

#include "bench/compute/noise/lost_time.hpp"

namespace weir {
namespace {

/// Each reading takes 0.1 us; some, other work comes between.
class InterruptedClock final : public Clock {
  public:
    [[nodiscard]] double now_s() const override {
        ++readings_;
        now_s_ += readings_ == 100 ? 3e-3 : readings_ == 5000 ? 7e-3 : 1e-7;
        return now_s_;
    }
    void sleep(Seconds) override {}

  private:
    mutable double now_s_ = 5;
    mutable int readings_ = 0;
};

TEST(LostTime, IsWhatPassesBetweenTwoReadings) {
    auto const found = watch_clock(InterruptedClock(), 0.02);
    EXPECT_NEAR(found.lost_s, 10e-3, 1e-9);
    EXPECT_NEAR(found.longest_s, 7e-3, 1e-9);
    EXPECT_NEAR(found.elapsed_s, 20e-3, 1e-6);
    EXPECT_EQ(found.detours, 2U);
}

}  // namespace
}  // namespace weir
