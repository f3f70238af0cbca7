#include "sim/collective_access.hpp"

#include <gtest/gtest.h>

namespace weir::sim {
namespace {

TEST(CollectiveAccess, TheLastRoundIsSharedByAllAggregators) {
    CollectiveAccess access;
    access.begin = 1000;
    access.end = 1000 + 40 + 18;
    access.aggregators = 4;
    access.buffer = 10;
    ASSERT_EQ(access.rounds(), 2U);
    EXPECT_EQ(access.part(3).offset, 1030U);
    EXPECT_EQ(access.part(3).bytes, 10U);
    access.round = 1;
    std::uint64_t next = 1040;
    for (std::uint64_t const bytes : {5, 5, 5, 3}) {
        auto const part = access.part((next - 1040) / 5);
        EXPECT_EQ(part.offset, next);
        EXPECT_EQ(part.bytes, bytes);
        next += bytes;
    }
    EXPECT_EQ(next, access.end);
}

}  // namespace
}  // namespace weir::sim
