#include "bench/network/rings_exchange.hpp"

#include <gtest/gtest.h>

namespace weir {
namespace {

/// Each reading is as many seconds after the one before as these steps say, in turn: so a rank's time is known exactly.
class SteppingClock final : public Clock {
  public:
    explicit SteppingClock(std::vector<double> steps_s) : steps_s_(std::move(steps_s)) {}
    [[nodiscard]] double now_s() const override { return now_s_ += steps_s_[readings_++ % steps_s_.size()]; }
    void sleep(Seconds) override {}

  private:
    std::vector<double> steps_s_;
    mutable std::size_t readings_ = 0;
    mutable double now_s_ = 0;
};

/// All exchanges of a way take one step of the clock: of 5 with 2 messages each, a message takes a tenth; the slowest
/// rank counts.
TEST(RingExchange, IsTheSlowestRanksTimeOfOneMessage) {
    auto const comm = Communicator::world();
    SteppingClock const clock({static_cast<double>(comm.rank() + 1)});
    RingExchange exchange(comm, clock, {.bytes = 8, .random_rings = 2, .repeats = 2, .calls = 5, .seed = 3});
    auto const times_s = exchange.times_s();
    ASSERT_EQ(times_s.size(), 3U);
    for (auto const time_s : times_s) {
        EXPECT_NEAR(time_s, static_cast<double>(comm.size()) / 10, 1e-12);
    }
}

/// Of two rings, in two repeats: by pairs, then at once; the first reading of each is where it starts.
TEST(RingExchange, IsTheFasterWayInTheFastestRepeat) {
    SteppingClock const clock({0, 5, 0, 3, 0, 4, 0, 6, 0, 7, 0, 8, 0, 2, 0, 9});
    RingExchange exchange(Communicator::world(), clock, {.bytes = 8, .random_rings = 1, .repeats = 2, .calls = 5});
    auto const times_s = exchange.times_s();
    ASSERT_EQ(times_s.size(), 2U);
    EXPECT_NEAR(times_s[0], 0.3, 1e-12);
    EXPECT_NEAR(times_s[1], 0.2, 1e-12);
}

/// HPCC: what takes 10 us is long enough to be timed.
TEST(RingExchange, TakesFiveCallsWhereTheyLastTenMicroseconds) {
    SteppingClock const clock({10e-6});
    RingExchange exchange(Communicator::world(), clock, {.bytes = 8, .random_rings = 1, .repeats = 1, .calls = 5});
    EXPECT_NEAR(exchange.times_s().front(), 1e-6, 1e-12);
}

}  // namespace
}  // namespace weir
