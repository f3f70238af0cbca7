#include "array/counts.hpp"

#include <gtest/gtest.h>

namespace weir::array {
namespace {

TEST(Counts, TakeAByteEachWhileTheyAreSmall) {
    Counts counts;
    counts.reserve(1000);
    for (std::uint32_t i = 0; i < 1000; ++i) {
        counts.push_back(i % 256);
    }
    EXPECT_EQ(counts[0], 0U);
    EXPECT_EQ(counts[511], 255U);
    EXPECT_EQ(counts.memory_bytes(), 1000U);
}

TEST(Counts, StayWhatTheyAreWhenALargeOneComes) {
    Counts counts;
    for (std::uint32_t const count : {7U, 255U, 256U, 3U, 70000U}) {
        counts.push_back(count);
    }
    EXPECT_EQ(counts[0], 7U);
    EXPECT_EQ(counts[1], 255U);
    EXPECT_EQ(counts[2], 256U);
    EXPECT_EQ(counts[3], 3U);
    EXPECT_EQ(counts[4], 70000U);
}

}  // namespace
}  // namespace weir::array
