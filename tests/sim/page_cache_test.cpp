#include "sim/page_cache.hpp"

#include <gtest/gtest.h>

namespace weir::sim {
namespace {

constexpr double room = 100;

TEST(PageCache, HasBytesThatNeighboursCoverTogether) {
    PageCache cache;
    cache.keep(1, 0, 10, room);
    cache.keep(1, 20, 10, room);
    EXPECT_TRUE(cache.has(1, 0, 10));
    EXPECT_FALSE(cache.has(1, 5, 20)) << "there is a hole";
    cache.keep(1, 10, 10, room);
    EXPECT_TRUE(cache.has(1, 0, 30));
    EXPECT_FALSE(cache.has(1, 0, 31));
    EXPECT_FALSE(cache.has(2, 0, 10));
}

TEST(PageCache, DropsTheFileThatWasUsedLongestAgo) {
    PageCache cache;
    cache.keep(1, 0, 40, room);
    cache.keep(2, 0, 40, room);
    cache.keep(1, 0, 20, room);  // again, which takes no more room
    cache.keep(3, 0, 60, room);
    EXPECT_TRUE(cache.has(1, 0, 40));
    EXPECT_FALSE(cache.has(2, 0, 40));
    EXPECT_TRUE(cache.has(3, 0, 60));
}

}  // namespace
}  // namespace weir::sim
