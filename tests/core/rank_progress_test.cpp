#include "core/rank_progress.hpp"

#include <gtest/gtest.h>

#include "core/clock.hpp"
#include "core/interrupt.hpp"

namespace weir {
namespace {

TEST(ProgressText, IsCutToItsPlace) {
    SharedText<4> text;
    EXPECT_EQ(text.get(), "");
    text.set("write");
    EXPECT_EQ(text.get(), "writ");
    text.set("a");
    EXPECT_EQ(text.get(), "a");
}

TEST(Progress, IsWhatLongLoopsMake) {
    auto const& steps = rank_progress->steps;
    auto const before = steps.load();
    throw_if_interrupted();
    EXPECT_EQ(steps, before + 1);
    MonotonicClock().sleep(Seconds{0.001});
    EXPECT_EQ(steps, before + 2) << "a pause that was asked for is no stall";
    MonotonicClock().compute(Seconds{0.001});
    EXPECT_GT(steps, before + 2);
}

}  // namespace
}  // namespace weir
