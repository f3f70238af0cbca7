#include "core/interrupt.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <memory>

#include "core/clock.hpp"
#include "core/error.hpp"
#include "core/memory.hpp"

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

TEST_F(Interrupts, EndTheFirstTouchOfALargeBuffer) {
    constexpr std::uint64_t large = 65ULL << 20;
    std::raise(SIGTERM);
    EXPECT_EQ(Buffer(large / 2).bytes().size(), large / 2);
    try {
        Buffer const buffer(large);
        FAIL() << "it was touched to its end";
    } catch (Error const& error) {
        EXPECT_EQ(error.diagnosis().exit_code, ExitCode::interrupted);
    }
}

TEST_F(Interrupts, EndATouchOfMemory) {
    constexpr std::uint64_t bytes = 1ULL << 20;
    EXPECT_EQ(touch_memory(bytes, MonotonicClock{}).bytes, bytes);
    std::raise(SIGTERM);
    EXPECT_LT(touch_memory(bytes, MonotonicClock{}).bytes, bytes);
}

}  // namespace
}  // namespace weir
