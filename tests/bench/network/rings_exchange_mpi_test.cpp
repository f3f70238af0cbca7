#include "bench/network/rings_exchange.hpp"

#include <gtest/gtest.h>

namespace weir {
namespace {

/// Each reading is as many seconds after the one before as the rank says: so a rank's time is known exactly.
class SteppingClock final : public Clock {
  public:
    explicit SteppingClock(double step_s) : step_s_(step_s) {}
    [[nodiscard]] double now_s() const override { return now_s_ += step_s_; }
    void sleep(Seconds) override {}

  private:
    double step_s_;
    mutable double now_s_ = 0;
};

/// All exchanges of a way take one step of the clock: of 5 with 2 messages each, a message takes a tenth; the slowest
/// rank counts.
TEST(RingExchange, IsTheSlowestRanksTimeOfOneMessage) {
    auto const comm = Communicator::world();
    SteppingClock const clock(static_cast<double>(comm.rank() + 1));
    RingExchange exchange(comm, clock, {.bytes = 8, .random_rings = 2, .repeats = 2, .calls = 5, .seed = 3});
    auto const times_s = exchange.times_s();
    ASSERT_EQ(times_s.size(), 3U);
    for (auto const time_s : times_s) {
        EXPECT_NEAR(time_s, static_cast<double>(comm.size()) / 10, 1e-12);
    }
}

/// HPCC: what takes 10 us is long enough to be timed.
TEST(RingExchange, TakesFiveCallsWhereTheyLastTenMicroseconds) {
    SteppingClock const clock(10e-6);
    RingExchange exchange(Communicator::world(), clock, {.bytes = 8, .random_rings = 1, .repeats = 1, .calls = 5});
    EXPECT_NEAR(exchange.times_s().front(), 1e-6, 1e-12);
}

}  // namespace
}  // namespace weir
