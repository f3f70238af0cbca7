#include "array/planner/choose_strategy.hpp"

#include <gtest/gtest.h>

#include <random>

#include "support/arrays/random_options.hpp"

namespace weir::array {
namespace {

constexpr std::uint64_t GiB = 1 << 30;
constexpr std::uint64_t MiB = 1 << 20;

void hold_in_runs_of(PlanFacts& facts, std::uint64_t run_bytes) {
    facts.write = {facts.bytes, facts.bytes / run_bytes, facts.bytes / run_bytes / facts.ranks};
    facts.read = facts.write;
}

/// 512^3 doubles as (block, block, block): runs of 2 KiB.
PlanFacts cube(std::uint64_t ranks, std::uint64_t nodes) {
    PlanFacts facts;
    facts.ranks = ranks;
    facts.nodes = nodes;
    facts.cores = ranks / nodes;
    facts.bytes = GiB;
    facts.profile = usual_profile({}, nodes);
    hold_in_runs_of(facts, 2048);
    return facts;
}

PlanFacts cube_on_two_nodes() {
    auto facts = cube(8, 2);
    facts.piece_bytes = 8 * MiB;
    facts.rows = 2;
    return facts;
}

TEST(Choose, TakesTwoPhasesForShortRunsAndNoneForLongOnes) {
    for (auto facts : {cube(8, 1), cube(8, 2), cube(1, 1)}) {
        EXPECT_EQ(choose(facts, {}).write.method, Method::two_phase);
        EXPECT_EQ(choose(facts, {}).read.method, Method::two_phase);
        hold_in_runs_of(facts, 64 * MiB);
        EXPECT_EQ(choose(facts, {}).write.method, Method::independent);
        EXPECT_EQ(choose(facts, {}).read.method, Method::independent);
    }
}

TEST(Choose, DecidesApartForReadingAndWriting) {
    auto facts = cube(8, 1);
    facts.profile.read.request_s = 1e-12;
    facts.profile.copy_bytes_per_s = 1e6;
    facts.profile.write.request_s = 1;
    EXPECT_EQ(choose(facts, {}).write.method, Method::two_phase);
    EXPECT_EQ(choose(facts, {}).read.method, Method::independent);
}

TEST(Choose, LetsAllRanksOfOneNodeWriteAndReadInTheSameWindows) {
    auto const choice = choose(cube(8, 1), {});
    EXPECT_EQ(choice.write.aggregators, 8U);
    EXPECT_EQ(choice.write, choice.read);
}

TEST(Choose, TakesAsFewWritersOfManyNodesAsReachTheFileSystemsSpeed) {
    auto facts = cube(256, 16);
    facts.file_system.storage = Storage::parallel;
    facts.profile.message_s = 1e-12;
    facts.profile.network_bytes_per_s = 1e15;
    facts.profile.copy_bytes_per_s = 1e15;
    facts.profile.write = {1e9, 4e9, 1e-3};
    facts.profile.read = {1e9, 32e9, 1e-3};
    auto const options = parse_options("method=two_phase window=1GiB");
    EXPECT_EQ(choose(facts, options).write.aggregators, 4U);
    EXPECT_EQ(choose(facts, options).read.aggregators, 32U);
    facts.profile.write.all_bytes_per_s = 1e15;
    EXPECT_EQ(choose(facts, options).write.aggregators, 256U);
    facts.file_system.storage = Storage::local;
    EXPECT_EQ(choose(facts, options).write.aggregators, 16U) << "writes of a node to one file exclude each other";
}

TEST(Choose, GivesEachAggregatorTheSameShareOfTheStripes) {
    auto facts = cube(256, 16);
    facts.file_system = file_system_of(0x0BD00BD0);
    facts.file_system.stripe_bytes = 8 * MiB;
    for (std::uint64_t const stripes : {8, 24}) {
        facts.file_system.stripes = stripes;
        auto const choice = choose(facts, {});
        EXPECT_EQ(choice.write.method, Method::two_phase);
        for (auto const& way : {choice.write, choice.read}) {
            EXPECT_TRUE(way.aggregators % stripes == 0 || stripes % way.aggregators == 0) << way.aggregators;
        }
        EXPECT_EQ(choice.align, 8 * MiB);
        EXPECT_EQ(choice.window, 8 * MiB);
    }
    facts.ranks = 4;
    facts.nodes = 4;
    facts.file_system.stripes = 7;
    EXPECT_EQ(choose(facts, parse_options("method=two_phase")).write.aggregators, 4U) << "too few for that";
}

TEST(Choose, KeepsWindowsInTheCacheOnOneNode) {
    auto facts = cube(8, 1);
    EXPECT_EQ(choose(facts, {}).window, MiB / 4);
    facts.cache_bytes = 2 * MiB;
    EXPECT_EQ(choose(facts, {}).window, MiB / 2);
    EXPECT_EQ(choose(facts, {}).slots, 4U);
    EXPECT_EQ(choose(facts, parse_options("memory=1MiB")).window, MiB / 2) << "rather than more slots";
    EXPECT_EQ(choose(facts, parse_options("memory=1MiB")).slots, 2U);
    facts.cache_bytes = 256 << 20;
    EXPECT_EQ(choose(facts, {}).window, MiB);
    facts.cache_bytes = 1 << 10;
    EXPECT_EQ(choose(facts, {}).window, MiB / 4);
    EXPECT_EQ(choose(facts, parse_options("exchange=messages")).window, 4 * MiB);
    EXPECT_EQ(choose(cube(8, 2), {}).window, 4 * MiB);
}

TEST(Choose, ReadsThroughAggregatorsWhereChecksumsAreVerified) {
    auto facts = cube(8, 1);
    hold_in_runs_of(facts, 64 * MiB);
    EXPECT_EQ(choose(facts, parse_options("checksum=true")).read.method, Method::two_phase);
    EXPECT_EQ(choose(facts, parse_options("checksum=true method=independent")).read.method, Method::two_phase);
    EXPECT_EQ(choose(facts, parse_options("checksum=true method=grouped")).read.method, Method::two_phase);
    EXPECT_EQ(choose(facts, parse_options("checksum=true method=gather")).read.method, Method::gather);
}

TEST(Choose, HasWindowsToGoOnFromWhereDumpsGoOnBehindTheComputing) {
    auto facts = cube(8, 1);
    hold_in_runs_of(facts, 64 * MiB);
    auto const choice = choose(facts, parse_options("async=true"));
    EXPECT_EQ(choice.write.method, Method::two_phase);
    EXPECT_GE(choice.window * (choice.slots - 1), GiB / 8);
    facts.memory_bytes = GiB;
    auto const less = choose(facts, parse_options("async=true"));
    EXPECT_LE(less.window * less.slots * 8, GiB / 2) << "half of the node's memory";
}

TEST(Choose, TakesAnAggregatorForEachMebibyteAtMost) {
    auto facts = cube(8, 1);
    EXPECT_EQ(choose(facts, {}).write.aggregators, 8U);
    facts.bytes = 3 * MiB + 5;
    hold_in_runs_of(facts, 2048);
    EXPECT_EQ(choose(facts, {}).read.aggregators, 3U);
    facts.bytes = 100;
    hold_in_runs_of(facts, 10);
    EXPECT_EQ(choose(facts, {}).write.aggregators, 1U);
    EXPECT_EQ(choose(facts, parse_options("writers=7 method=two_phase")).write.aggregators, 7U);
}

TEST(Choose, TakesWhatTheUserSays) {
    auto const facts = cube_on_two_nodes();
    auto const of = [&](char const* text) { return choose(facts, parse_options(text)); };
    EXPECT_EQ(of("method=gather writers=4").write.aggregators, 1U);
    EXPECT_EQ(of("method=grouped group=3").write.aggregators, 3U);
    EXPECT_EQ(of("method=grouped").group, 4U) << "the ranks of a node";
    EXPECT_EQ(of("method=two_phase writers=3 readers=5").write.aggregators, 3U);
    EXPECT_EQ(of("method=two_phase writers=3 readers=5").read.aggregators, 5U);
    EXPECT_EQ(of("method=two_phase per_node=2").write.aggregators, 4U);
    EXPECT_EQ(of("method=two_phase writers=99").write.aggregators, 8U) << "no more than there are";
    EXPECT_EQ(of("method=two_phase per_node=9000000000000000000").write.aggregators, 8U);
    EXPECT_EQ(of("method=two_phase per_node=9300000000000000000").write.aggregators, 8U);
}

TEST(Choose, ExchangesInRowsWhereTheirPiecesAreLongEnough) {
    auto facts = cube_on_two_nodes();
    EXPECT_TRUE(choose(facts, {}).rows);
    EXPECT_FALSE(choose(facts, parse_options("target=64MiB")).rows);
    EXPECT_FALSE(choose(facts, parse_options("method=gather")).rows);
    facts.piece_bytes = 0;
    EXPECT_FALSE(choose(facts, {}).rows);
}

TEST(Choose, WritesInGroupsWhereTheyHoldLongPiecesAndTheNetworkIsSlow) {
    auto facts = cube(256, 16);
    facts.profile.network_bytes_per_s = 1e7;
    EXPECT_NE(choose(facts, {}).write.method, Method::grouped);
    facts.group_run_bytes = 4 * MiB;
    EXPECT_EQ(choose(facts, {}).write.method, Method::grouped);
    EXPECT_EQ(choose(facts, {}).write.aggregators, 16U);
}

TEST(Choose, GivesEachRowOfTheGridAsManyAggregatorsUnlessTheirNumberIsAskedFor) {
    auto facts = cube(8, 1);
    facts.rows = 3;
    facts.piece_bytes = 8 * MiB;
    EXPECT_TRUE(choose(facts, {}).rows);
    EXPECT_EQ(choose(facts, {}).write.aggregators, 6U);
    EXPECT_EQ(choose(facts, {}).read.aggregators, 6U);
    EXPECT_EQ(choose(facts, parse_options("writers=5")).write.aggregators, 5U);
    EXPECT_EQ(choose(facts, parse_options("per_node=4")).read.aggregators, 4U);
}

/// What an aggregator takes: its slots, and where there are messages as much again for message buffers on both sides.
TEST(Choose, KeepsSlotsAndMessageBuffersOfAllExchangesWithinMemory) {
    auto facts = cube(8, 1);
    auto const bytes_of = [&](std::string const& more) {
        auto const choice = choose(facts, parse_options(("method=two_phase memory=12MiB window=8MiB " + more).c_str()));
        return choice.window * choice.slots;
    };
    EXPECT_EQ(bytes_of(""), 12 * MiB);
    EXPECT_EQ(bytes_of("exchange=messages"), 4 * MiB);
    EXPECT_EQ(bytes_of("writers=3"), 6 * MiB) << "an exchange for each direction";
    facts.two_shares = true;
    EXPECT_EQ(bytes_of(""), 6 * MiB) << "ranks read other bytes than they write";
    EXPECT_EQ(bytes_of("exchange=messages"), 2 * MiB);
}

TEST(Choose, SharesTheMemoryOfANodeAmongItsAggregators) {
    auto facts = cube(8, 2);
    facts.memory_bytes = 48 * MiB;
    auto const bytes_of = [&](char const* options) {
        auto const choice = choose(facts, parse_options(options));
        return choice.window * choice.slots;
    };
    EXPECT_EQ(bytes_of("method=two_phase writers=2 readers=2 window=1GiB align=4KiB"), 8 * MiB);
    EXPECT_EQ(bytes_of("method=two_phase writers=3 readers=3 window=1GiB align=4KiB"), 4 * MiB)
        << "two of them on one node";
}

TEST(WindowWithin, IsSmallerByAsMuchAsBuffersAreTooLarge) {
    Choice choice;
    choice.align = 4096;
    choice.window = 64 * 4096;
    EXPECT_EQ(window_within(choice, MiB, MiB), choice.window) << "it suffices";
    EXPECT_EQ(window_within(choice, MiB, 2 * MiB), 32 * 4096U);
    EXPECT_EQ(window_within(choice, 2 * MiB, 3 * MiB), 42 * 4096U) << "whole pages";
    EXPECT_EQ(window_within(choice, 1, MiB), 4096U);
    choice.window = 100;
    EXPECT_EQ(window_within(choice, 1, MiB), 100U) << "slots take a page";
}

/// Memory of slots that nobody has touched costs a first dump more than small windows do.
TEST(Choose, TakesSmallWindowsWhereLittleIsMoved) {
    auto facts = cube(8, 1);
    facts.cache_bytes = 2 * MiB;
    facts.file_system = file_system_of(0x01021994);
    auto const window = [&](std::uint64_t bytes, char const* options) {
        facts.bytes = bytes;
        return choose(facts, parse_options(options)).window;
    };
    constexpr auto* eight = "method=two_phase writers=8 readers=8";
    EXPECT_EQ(window(1 << 30, eight), MiB / 2) << "a quarter of the cache";
    EXPECT_EQ(window(64 * MiB, eight), MiB / 4);
    EXPECT_EQ(window(63 * MiB, eight), MiB / 8);
    EXPECT_EQ(window(MiB, eight), MiB / 16);
    EXPECT_EQ(window(MiB, "method=two_phase writers=8 readers=8 window=1MiB"), MiB);
    EXPECT_EQ(window(MiB, "method=two_phase writers=8 readers=8 exchange=messages"), 4 * MiB);
}

TEST(Choose, TakesNoMoreThan65536WindowsBelowAPage) {
    auto facts = cube(8, 1);
    auto const window = [&](std::uint64_t bytes, char const* options) {
        facts.bytes = bytes;
        return choose(facts, parse_options(options)).window;
    };
    EXPECT_EQ(window(16 << 16, "method=two_phase align=1B window=16B"), 16U);
    EXPECT_EQ(window(32 << 16, "method=two_phase align=1B window=16B"), 32U);
    EXPECT_EQ(window(1ULL << 40U, "method=two_phase align=1B window=16B"), 4096U) << "a page at most";
    EXPECT_EQ(window(1ULL << 40U, "method=two_phase align=1B window=5KiB"), 5120U);
    EXPECT_EQ(window(5, "method=two_phase align=1B window=16B"), 16U);
    facts.bytes = 1 << 30;
    auto const why = choose(facts, parse_options("method=two_phase align=1B window=16B")).why;
    EXPECT_NE(why.find("windows of 4 KiB: two-phase is asked for; windows of 16 B would be 67,108,864 ("),
              std::string::npos)
        << why;
}

TEST(Choose, SaysWhy) {
    auto facts = cube(8, 1);
    facts.cores = 2;
    facts.file_system = file_system_of(0xEF53);
    EXPECT_EQ(choose(facts, {}).why,
              "two-phase, 8 writers, windows of 256 KiB: runs of 2 KiB would make 524,288 requests (about 2.4 s), "
              "exchanged they make 4,096 (about 340 ms) (ext4, usual numbers)");
    EXPECT_NE(choose(facts, parse_options("window=300MiB")).why.find("exchanged they make 4 "), std::string::npos)
        << "the last window is not full";
    EXPECT_EQ(choose(facts, parse_options("method=gather")).why,
              "gather to rank 0, windows of 256 KiB: gather is asked for (ext4, usual numbers)");
    hold_in_runs_of(facts, 128 * MiB);
    facts.file_system = file_system_of(0x0BD00BD0);
    facts.file_system.stripe_bytes = MiB;
    facts.file_system.stripes = 1;
    EXPECT_EQ(
        choose(facts, {}).why,
        "independent: runs of 128 MiB make 8 requests (about 330 ms), an exchange would gain nothing (about 330 ms) "
        "(lustre with 1 stripe of 1 MiB, usual numbers)");
    facts.file_system = {};
    facts.file_system.error_number = 2;
    EXPECT_NE(choose(facts, parse_options("directory=/not/there")).why.find("/not/there cannot be looked at: No such"),
              std::string::npos);
}

TEST(Choose, KeepsWindowsWithinMemoryAndMessagesBelow32Bits) {
    std::mt19937_64 random(1);
    for (int trial = 0; trial < 500; ++trial) {
        PlanFacts facts;
        facts.ranks = 1 + random() % 64;
        facts.nodes = 1 + random() % facts.ranks;
        facts.cores = 1 + random() % 8;
        facts.bytes = random() >> (random() % 60 + 1);
        facts.group_run_bytes = random() % 2 * facts.bytes / facts.nodes;
        facts.memory_bytes = random() % 2 << 20U;
        facts.file_system = file_system_of(random() % 2 == 0 ? 0x0BD00BD0 : 0xEF53);
        facts.file_system.stripe_bytes = random() % 2 << 20U;
        facts.file_system.stripes = random() % 9;
        facts.profile = usual_profile(facts.file_system, facts.nodes);
        hold_in_runs_of(facts, 1 + random() % 4096);
        auto const options = parse_options(testing::random_options(random, facts.ranks));
        auto const choice = choose(facts, options);
        ASSERT_NE(choice.write.method, Method::automatic);
        ASSERT_NE(choice.read.method, Method::automatic);
        for (auto const& way : {choice.write, choice.read}) {
            ASSERT_GE(way.aggregators, 1U);
            ASSERT_LE(way.aggregators, facts.ranks);
        }
        ASSERT_GE(choice.align, 1U);
        ASSERT_GE(choice.window, 1U);
        ASSERT_LE(choice.window, std::uint64_t{1} << 30U);
        ASSERT_TRUE(choice.window <= choice.align || choice.window % choice.align == 0);
        if (options.memory.value != 0) {
            ASSERT_LE(choice.window * choice.slots, std::max(options.memory.value, 4096 * choice.slots));
        }
        ASSERT_FALSE(choice.why.empty());
    }
}

TEST(StrategiesByCost, AreAllThatAreOpenTheChosenFirst) {
    auto facts = cube(8, 1);
    auto const ways = strategies_by_cost(facts, {}, Use::write);
    ASSERT_EQ(ways.size(), 5U) << "independent, and 8, 4, 2, 1 writers";
    EXPECT_EQ(ways.front(), choose(facts, {}).write);
    EXPECT_EQ(ways.back().method, Method::independent);
    EXPECT_EQ(strategies_by_cost(facts, parse_options("method=two_phase writers=3"), Use::write).size(), 1U);
}

}  // namespace
}  // namespace weir::array
