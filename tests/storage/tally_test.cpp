#include "storage/tally.hpp"

#include <gtest/gtest.h>

namespace weir {
namespace {

TEST(Tally, AddsCallsTimesAndSizes) {
    Tally log;
    log[IoCall::write] = {3, 224, 0.5};
    log.waiting_s = 0.25;
    log.write_sizes = {{24, 1}, {100, 2}};
    Tally other;
    other[IoCall::write] = {1, 100, 0.25};
    other[IoCall::seek].count = 7;
    other.waiting_s = 0.5;
    other.write_sizes = {{100, 1}};
    other.read_sizes = {{8, 4}};
    log.add(other);
    EXPECT_EQ(log[IoCall::write].count, 4);
    EXPECT_EQ(log[IoCall::write].time_s, 0.75);
    EXPECT_EQ(log[IoCall::seek].count, 7);
    EXPECT_EQ(log.waiting_s, 0.75);
    EXPECT_EQ(log[IoCall::write].bytes, 324);
    EXPECT_EQ(log.write_sizes, (std::map<std::uint64_t, std::uint64_t>{{24, 1}, {100, 3}}));
    EXPECT_EQ(log.read_sizes, (std::map<std::uint64_t, std::uint64_t>{{8, 4}}));
}

TEST(CallCounter, CountsCallsAndNotesSizesWhereItHasAClock) {
    Tally plain;
    Tally timed;
    MonotonicClock clock;
    CallCounter alone(plain);
    CallCounter with_clock(timed, &clock);
    for (auto* counter : {&alone, &with_clock, static_cast<CallCounter*>(nullptr)}) {
        auto const moved = CallCounter::request(counter, IoCall::write, [] { return Moved{10, 2, 0}; });
        EXPECT_EQ(moved.bytes, 10U);
        EXPECT_EQ(CallCounter::call(counter, IoCall::open, [] { return 3; }), 3);
    }
    for (auto const& tally : {plain, timed}) {
        EXPECT_EQ(tally[IoCall::write].count, 2U);
        EXPECT_EQ(tally[IoCall::write].bytes, 10U);
        EXPECT_EQ(tally[IoCall::open].count, 1U);
    }
    EXPECT_TRUE(plain.write_sizes.empty());
    EXPECT_EQ(timed.write_sizes.at(10), 1U);
    EXPECT_GT(timed[IoCall::write].time_s, 0);
}

}  // namespace
}  // namespace weir
