#include "storage/tally.hpp"

#include <gtest/gtest.h>

namespace weir {
namespace {

TEST(Tally, AddsCallsTimesAndSizes) {
    Tally log;
    log[IoCall::write] = {3, 0.5};
    log.waiting_s = 0.25;
    log.write_sizes = {{24, 1}, {100, 2}};
    Tally other;
    other[IoCall::write] = {1, 0.25};
    other[IoCall::seek].count = 7;
    other.waiting_s = 0.5;
    other.write_sizes = {{100, 1}};
    other.read_sizes = {{8, 4}};
    log.add(other);
    EXPECT_EQ(log[IoCall::write].count, 4);
    EXPECT_EQ(log[IoCall::write].time_s, 0.75);
    EXPECT_EQ(log[IoCall::seek].count, 7);
    EXPECT_EQ(log.waiting_s, 0.75);
    EXPECT_EQ(log.bytes_written(), 324);
    EXPECT_EQ(log.bytes_read(), 32);
}

}  // namespace
}  // namespace weir
