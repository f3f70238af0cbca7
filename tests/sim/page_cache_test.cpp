#include "sim/page_cache.hpp"

#include <gtest/gtest.h>

namespace weir::sim {
namespace {

constexpr double room = 100;

TEST(PageCache, HasBytesThatNeighboursCoverTogether) {
    PageCache cache;
    cache.keep(1, 0, 10, room);
    cache.keep(1, 20, 10, room);
    EXPECT_GE(cache.until(1, 0), 10U);
    EXPECT_EQ(cache.until(1, 5), 10U) << "there is a hole";
    EXPECT_EQ(cache.until(1, 15), 15U);
    cache.keep(1, 10, 10, room);
    EXPECT_GE(cache.until(1, 0), 30U);
    EXPECT_EQ(cache.until(1, 0), 30U);
    EXPECT_EQ(cache.until(2, 0), 0U);
}

TEST(PageCache, DropsTheFileThatWasUsedLongestAgo) {
    PageCache cache;
    cache.keep(1, 0, 40, room);
    cache.keep(2, 0, 40, room);
    cache.keep(1, 0, 20, room);  // again, which takes no more room
    cache.keep(3, 0, 60, room);
    EXPECT_GE(cache.until(1, 0), 40U);
    EXPECT_EQ(cache.until(2, 0), 0U);
    EXPECT_GE(cache.until(3, 0), 60U);
}

}  // namespace
}  // namespace weir::sim
