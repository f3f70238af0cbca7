#include "bench/network/links_schedule.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace weir {
namespace {

std::map<std::pair<std::uint64_t, std::uint64_t>, int> meetings(LinkSchedule const& schedule) {
    std::map<std::pair<std::uint64_t, std::uint64_t>, int> found;
    for (std::uint64_t round = 0; round < schedule.rounds(); ++round) {
        std::set<std::uint64_t> busy;
        auto const pairs = schedule.pairs(round);
        EXPECT_EQ(pairs.size(), schedule.pairs_of_round());
        for (auto const& pair : pairs) {
            EXPECT_LT(pair.one, pair.other);
            EXPECT_TRUE(busy.insert(pair.one).second && busy.insert(pair.other).second) << "a pair shares a member";
            EXPECT_EQ(schedule.partner(round, pair.other), pair.one);
            ++found[{pair.one, pair.other}];
        }
    }
    return found;
}

TEST(LinkSchedule, HasEachPairOnceInDisjointRounds) {
    for (std::uint64_t const count : {2, 3, 4, 5, 8, 9, 16, 31}) {
        LinkSchedule const schedule(count, 1'000'000, count);
        auto const found = meetings(schedule);
        EXPECT_EQ(found.size(), count * (count - 1) / 2) << count;
        EXPECT_EQ(found.size(), schedule.all_pairs());
        for (auto const& [pair, times] : found) {
            EXPECT_EQ(times, 1) << pair.first << " " << pair.second;
        }
    }
}

TEST(LinkSchedule, ChoosesAtMostSoManyPairsAndNeverAFew) {
    for (std::uint64_t const count : {100, 101}) {
        LinkSchedule const schedule(count, 1000, 7);
        auto const found = meetings(schedule);
        EXPECT_EQ(found.size(), 1000U);
        LinkSchedule const few(count, 1, 7);
        std::map<std::uint64_t, std::uint64_t> of_member;
        for (auto const& [pair, times] : meetings(few)) {
            ++of_member[pair.first];
            ++of_member[pair.second];
        }
        EXPECT_EQ(of_member.size(), count);
        for (auto const& [member, pairs] : of_member) {
            EXPECT_GE(pairs, LinkSchedule::least_rounds - count % 2) << member;
        }
    }
}

TEST(LinkSchedule, FollowsItsSeed) {
    LinkSchedule const one(40, 100, 1);
    EXPECT_EQ(one.pairs(0), LinkSchedule(40, 100, 1).pairs(0));
    EXPECT_NE(one.pairs(0), LinkSchedule(40, 100, 2).pairs(0));
}

TEST(LinkSchedule, PassesOverAllRoundsInAnOrderOfTheirOwn) {
    LinkSchedule const schedule(40, 1'000'000, 1);
    auto first = schedule.order(0);
    EXPECT_NE(first, schedule.order(1));
    std::set<std::uint64_t> const rounds(first.begin(), first.end());
    EXPECT_EQ(rounds.size(), schedule.rounds());
    EXPECT_EQ(*rounds.rbegin(), schedule.rounds() - 1);
}

/// Each seed's second order was the first one of the next seed.
TEST(LinkSchedule, HasNoOrderOfTheNextSeed) {
    std::set<std::vector<std::uint64_t>> orders;
    for (std::uint64_t seed = 0; seed < 8; ++seed) {
        LinkSchedule const schedule(40, 1'000'000, seed);
        for (std::uint64_t pass = 0; pass < 8; ++pass) {
            EXPECT_TRUE(orders.insert(schedule.order(pass)).second) << seed << ", " << pass;
        }
    }
}

}  // namespace
}  // namespace weir
