#include "pattern/unwaited.hpp"

#include <gtest/gtest.h>

#include "support/patterns/phases.hpp"

namespace weir {
namespace {

/// Each of four ranks begins 3 requests of 8 bytes on this file.
Access begun(std::uint64_t file, bool asynchronous = true) {
    auto access = testing::access_of({0, 4, 1}, {}, {0, {{3, 32}}, 8});
    access.file = file;
    access.asynchronous = asynchronous;
    return access;
}

std::uint64_t most_of(std::vector<Step> steps) {
    return most_unwaited({"p", 4, {{"a"}, {"b"}}, {testing::phase_of("p", std::move(steps))}});
}

TEST(MostUnwaited, IsWhatARankHasBegunAndNotWaitedFor) {
    EXPECT_EQ(most_of({Open{0}, begun(0, false), Close{0}}), 0U) << "it is made at once";
    EXPECT_EQ(most_of({Open{0}, begun(0), begun(0), Close{0}}), 48U);
    EXPECT_EQ(most_of({Open{0}, begun(0), Wait{0}, begun(0), Close{0}}), 24U);
    EXPECT_EQ(most_of({begun(0), begun(1), Sync{0}, begun(1), begun(0)}), 3 * 24U);
}

TEST(MostUnwaited, GrowsWithTheTurnsOfARepeat) {
    EXPECT_EQ(most_of({Repeat{1000, {begun(0)}}, Close{0}}), 24'000U);
    EXPECT_EQ(most_of({Repeat{1000, {begun(0), Wait{0}}}}), 24U);
    EXPECT_EQ(most_of({Repeat{1000, {Wait{0}, begun(0), begun(1), Sync{1}}}}), 48U) << "one stays on its way";
    EXPECT_EQ(most_of({Repeat{10, {Repeat{10, {begun(0)}}, begun(1)}}}), 10 * 11 * 24U);
}

TEST(MostUnwaited, IsThatOfTheRankWithMost) {
    auto access = begun(0);
    access.extent = {};
    access.lists = PieceLists({{{0, 8}}, {{8, 100}, {200, 5}}, {}, {{300, 1}}});
    EXPECT_EQ(most_of({access}), 105U);
}

}  // namespace
}  // namespace weir
