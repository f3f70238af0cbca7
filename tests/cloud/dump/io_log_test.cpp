#include "apps/cloud/dump/io_log.hpp"

#include <gtest/gtest.h>

namespace weir::cloud {
namespace {

TEST(IoLog, AddsCallsTimesAndSizes) {
    IoLog log;
    log[Call::write] = {3, 0.5};
    log.waiting_s = 0.25;
    log.write_sizes = {{24, 1}, {100, 2}};
    IoLog other;
    other[Call::write] = {1, 0.25};
    other[Call::seek].count = 7;
    other.waiting_s = 0.5;
    other.write_sizes = {{100, 1}};
    other.read_sizes = {{8, 4}};
    log.add(other);
    EXPECT_EQ(log[Call::write].count, 4);
    EXPECT_EQ(log[Call::write].time_s, 0.75);
    EXPECT_EQ(log[Call::seek].count, 7);
    EXPECT_EQ(log.waiting_s, 0.75);
    EXPECT_EQ(log.bytes_written(), 324);
    EXPECT_EQ(log.bytes_read(), 32);
}

TEST(CommunicationOfThePaper, IsThatOfItsTables) {
    EXPECT_EQ(communication_of_the_paper({2, 2, 2}, 6 + 16 * 4, 1), 5608);
    EXPECT_EQ(communication_of_the_paper({4, 4, 4}, 6 + 16 * 1, 1), 109888);
}

}  // namespace
}  // namespace weir::cloud
