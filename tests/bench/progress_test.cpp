#include "bench/progress.hpp"

#include <gtest/gtest.h>

namespace weir {
namespace {

TEST(Progress, SaysWhereARunStands) {
    EXPECT_EQ(to_line({3, 20, "time 0.0125, dt 0.004"}), "step 3 of 20, time 0.0125, dt 0.004");
    EXPECT_EQ(spell_rate(2.5e6), "2.5 million cells/s");
    EXPECT_EQ(spell_rate(25e3), "25 thousand cells/s");
    EXPECT_EQ(to_line({5, 5}), "step 5 of 5");
}

TEST(Progress, InALogTellsDumpsTheEndAndALongWait) {
    ManualClock clock;
    ::testing::internal::CaptureStderr();
    Progress log(Progress::Where::log, clock);
    log.tell({1, 9}, false);
    log.tell({2, 9}, true);
    clock.advance(Seconds{11});
    log.tell({3, 9}, false);
    log.tell({4, 9}, false);
    log.tell({9, 9}, false);
    EXPECT_EQ(::testing::internal::GetCapturedStderr(),
              "weir-core: step 2 of 9, dumped\nweir-core: step 3 of 9\nweir-core: step 9 of 9\n");
}

TEST(Progress, InALogTellsLinesAfterALongWaitOrAtOnce) {
    ManualClock clock;
    ::testing::internal::CaptureStderr();
    Progress log(Progress::Where::log, clock);
    log.tell("soon");
    log.tell_at_once("test 1 of 2");
    log.tell_at_once("test 2 of 2");
    clock.advance(Seconds{11});
    log.tell("late");
    EXPECT_EQ(::testing::internal::GetCapturedStderr(),
              "weir-core: test 1 of 2\nweir-core: test 2 of 2\nweir-core: late\n");
}

TEST(Progress, OnATerminalRewritesItsLineAndEndsIt) {
    ManualClock clock;
    ::testing::internal::CaptureStderr();
    {
        Progress line(Progress::Where::terminal, clock);
        clock.advance(Seconds{1});
        line.tell({1, 9}, false);
        line.tell({2, 9}, true);
        line.end();
    }
    EXPECT_EQ(::testing::internal::GetCapturedStderr(), "\rstep 1 of 9\x1b[K\rstep 2 of 9\x1b[K\n");
}

}  // namespace
}  // namespace weir
