#include "apps/cloud/program/progress.hpp"

#include <gtest/gtest.h>

namespace weir::cloud {
namespace {

TEST(Progress, SaysWhereARunStands) {
    EXPECT_EQ(to_line({3, 20, 0.0125, 0.004, 1.5, 2.5e6}),
              "step 3 of 20, time 0.0125, dt 0.004, peak density 1.5, 2.5 million cells/s");
    EXPECT_EQ(to_line({3, 20, 0.0125, 0.004, 1.5, 25e3}),
              "step 3 of 20, time 0.0125, dt 0.004, peak density 1.5, 25 thousand cells/s");
    EXPECT_EQ(to_line({5, 5, 0, 0, 0, 0}), "step 5 of 5");
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
}  // namespace weir::cloud
