#include "bench/compute/random_access/updates_in_time.hpp"

#include <gtest/gtest.h>

namespace weir {
namespace {

TEST(UpdatesInTime, AreAllWhereTheseClearlyEndInTime) {
    EXPECT_EQ(updates_in_time(1000, 100, 0.001, 60), 1000U);
    EXPECT_EQ(updates_in_time(1000, 100, 59, 60), 101U);
}

TEST(UpdatesInTime, NeedAnotherTryAfterOneThatTellsLittle) {
    EXPECT_EQ(updates_in_time(1'000'000, 100, 0.1, 60), std::nullopt) << "60,000 in time, by 0.2 % of it";
    EXPECT_EQ(updates_in_time(1'000'000, 100, 0.6, 60), 10'000U);
}

TEST(UpdatesInTime, AreNeverMoreThanThereAreNorLessThanOnceMade) {
    EXPECT_EQ(updates_in_time(1000, 100, 2, 60), 1000U) << "3,000 in time";
    EXPECT_EQ(updates_in_time(1000, 100, 600, 60), 100U);
    EXPECT_EQ(updates_in_time(50, 100, 600, 60), 50U);
}

}  // namespace
}  // namespace weir
