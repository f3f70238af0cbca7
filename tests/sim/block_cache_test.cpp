#include "sim/block_cache.hpp"

#include <gtest/gtest.h>

namespace weir::sim {
namespace {

TEST(BlockCache, ForgetsTheBlockThatWasUsedLongestAgo) {
    BlockCache cache(2);
    EXPECT_FALSE(cache.use(5, 0));
    EXPECT_FALSE(cache.use(5, 1));
    EXPECT_TRUE(cache.use(5, 0)) << "now block 1 is the one used longest ago";
    EXPECT_FALSE(cache.use(5, 2));
    EXPECT_TRUE(cache.use(5, 0));
    EXPECT_FALSE(cache.use(5, 1));
}

TEST(BlockCache, CountsTheBlocksThatBytesLieIn) {
    BlockCache cache(8);
    EXPECT_EQ(cache.use(1, 9, 2, 10), 2U) << "the last byte of one block, the first of the next";
    EXPECT_EQ(cache.use(1, 0, 20, 10), 0U);
    EXPECT_EQ(cache.use(1, 10, 11, 10), 1U);
    EXPECT_EQ(cache.use(2, 0, 10, 10), 1U) << "of another file";
}

}  // namespace
}  // namespace weir::sim
