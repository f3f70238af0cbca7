#include "core/interrupt.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <memory>

namespace weir {
namespace {

class Interrupts : public ::testing::Test {
  protected:
    Interrupts() { catch_interrupts(); }
    ~Interrupts() override {
        stop_requested = false;
        std::signal(SIGINT, SIG_DFL);
        std::signal(SIGTERM, SIG_DFL);
    }
};

TEST_F(Interrupts, WaitForWhatHoldsThem) {
    {
        HoldInterrupts const outer;
        {
            HoldInterrupts const inner;
            std::raise(SIGINT);
        }
        EXPECT_FALSE(stop_requested);
    }
    EXPECT_TRUE(stop_requested);
}

TEST_F(Interrupts, ThatCameBeforeWaitToo) {
    std::raise(SIGTERM);
    EXPECT_TRUE(stop_requested);
    auto hold = std::make_unique<HoldInterrupts>();
    EXPECT_FALSE(stop_requested);
    hold.reset();
    EXPECT_TRUE(stop_requested);
}

TEST_F(Interrupts, DoNotComeOfHolding) {
    { HoldInterrupts const hold; }
    EXPECT_FALSE(stop_requested);
}

}  // namespace
}  // namespace weir
