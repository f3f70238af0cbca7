#include "core/clock.hpp"

#include <gtest/gtest.h>

#include <ctime>

#include "core/interrupt.hpp"

namespace weir {
namespace {

double processor_s() {
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

TEST(MonotonicClock, KeepsTheProcessorBusyWhereItIsToComputeAndNotWhereItIsToSleep) {
    MonotonicClock clock;
    auto const before_s = processor_s();
    clock.sleep(Seconds{0.03});
    auto const slept_s = processor_s() - before_s;
    auto const start_s = clock.now_s();
    clock.compute(Seconds{0.03});
    EXPECT_GE(clock.now_s() - start_s, 0.03);
    EXPECT_GT(processor_s() - before_s - slept_s, slept_s) << "however busy the machine is otherwise";
}

TEST(MonotonicClock, ComputesNoLongerWhenItIsToStop) {
    MonotonicClock clock;
    stop_requested = true;
    auto const start_s = clock.now_s();
    clock.compute(Seconds{100});
    stop_requested = false;
    EXPECT_LT(clock.now_s() - start_s, 50);
}

TEST(ManualClock, MovesByComputing) {
    ManualClock clock;
    clock.compute(Seconds{2});
    EXPECT_DOUBLE_EQ(clock.now_s(), 2);
}

}  // namespace
}  // namespace weir
