#include "bench/metadata/metadata_options.hpp"

#include <gtest/gtest.h>

namespace weir {
namespace {

TEST(Stopwatch, BooksTimeToTheCallThatEnded) {
    ManualClock clock;
    CallTimes times;
    Stopwatch watch(clock, times);
    clock.advance(Seconds{2});
    EXPECT_EQ(watch.lap(Call::open), 2);
    clock.advance(Seconds{3});
    EXPECT_EQ(watch.lap(Call::close), 3);
    clock.advance(Seconds{100});
    watch.start();
    clock.advance(Seconds{4});
    EXPECT_EQ(watch.lap(Call::open), 4);
    EXPECT_EQ(times.latency(Call::open).count(), 2U);
    EXPECT_EQ(times.latency(Call::open).max_s(), 4);
    EXPECT_EQ(times.totals_s()[static_cast<std::size_t>(Call::open)], 6);
    EXPECT_EQ(times.totals_s()[static_cast<std::size_t>(Call::close)], 3);
    EXPECT_EQ(times.latency(Call::unlink).count(), 0U);
}

}  // namespace
}  // namespace weir
