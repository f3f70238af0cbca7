#include "array/exchange/node_memory.hpp"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace weir::array {
namespace {

TEST(Counter, HasReachedWhatWasAdded) {
    Counter counter;
    EXPECT_TRUE(counter.reached(0));
    EXPECT_FALSE(counter.reached(1));
    counter.add(3);
    EXPECT_TRUE(counter.reached(3));
    EXPECT_FALSE(counter.reached(4));
    EXPECT_TRUE(counter.reached(0U - 5U)) << "what lies before 0 has been reached";
    EXPECT_TRUE(counter.wait_a_while(3));
    EXPECT_FALSE(counter.wait_a_while(4));
}

TEST(Counter, GoesOnBeyond32Bits) {
    Counter counter;
    for (std::uint32_t i = 0; i < 4; ++i) {
        counter.add(0x40000000U);
    }
    EXPECT_TRUE(counter.reached(0));
    EXPECT_TRUE(counter.reached(0xffffffffU));
    EXPECT_FALSE(counter.reached(1));
}

TEST(Counter, AsksForProgressWhileItWaits) {
    Counter counter;
    int asked = 0;
    for (bool const sleeps : {false, true}) {
        counter.wait(sleeps ? 6 : 3, sleeps, [&] {
            ++asked;
            counter.add(1);
        });
        EXPECT_EQ(asked, sleeps ? 6 : 3);
    }
}

TEST(Counter, WakesThoseThatSleep) {
    // Threads hand each other many turns; one that were not woken would wake by itself.
    Counter turn;
    constexpr std::uint32_t threads = 4;
    constexpr std::uint32_t turns = 500;
    std::vector<std::thread> all;
    for (std::uint32_t me = 0; me < threads; ++me) {
        all.emplace_back([&, me] {
            for (std::uint32_t i = 0; i < turns; ++i) {
                turn.wait(i * threads + me, true, [] {});
                turn.add(1);
            }
        });
    }
    for (auto& thread : all) {
        thread.join();
    }
    EXPECT_TRUE(turn.reached(threads * turns));
    EXPECT_FALSE(turn.reached(threads * turns + 1));
}

}  // namespace
}  // namespace weir::array
