#include "sim/simulate.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/error.hpp"
#include "support/sim/simulated.hpp"

namespace weir::sim {
namespace {

using testing::blocks;
using testing::machine_of;
using testing::mib;
using testing::of;
using testing::pattern_of;
using testing::phase_of;
using testing::read;
using testing::written;

TEST(Simulate, WhatAServerHoldsIsWrittenWhenASyncAsks) {
    auto machine = machine_of(1);
    machine.nodes.ranks = 2;
    machine.storage.stripes = 1;
    machine.storage.server_link = 4 * mib;
    machine.storage.targets = {.count = 4, .write = mib, .request = 0.25, .drains_at_sync = true};
    machine.storage.targets.cache = 8 * mib;
    auto const outcome = [&](std::uint64_t bytes, std::uint64_t pieces) {
        return simulate(machine, pattern_of(1, {written(blocks(1, bytes, pieces)), Compute{Seconds{10}}, Sync{}}), {});
    };
    EXPECT_DOUBLE_EQ(outcome(2 * mib, 3).time_s, 1.5 + 10 + 0.25 + 6) << "nothing is written while it computes";
    EXPECT_DOUBLE_EQ(outcome(2 * mib, 5).time_s, 2.5 + 0.25 + 10 + 10) << "the fifth has no room";
    auto other = blocks(1, mib);
    other.file = 1;
    auto const steps = {written(blocks(1, mib)), written(other), Step{Sync{}}};
    EXPECT_DOUBLE_EQ(simulate(machine, pattern_of(1, steps), {}).time_s, 0.5 + 0.25 + 1) << "of another file, nothing";
}

TEST(Simulate, AServerMovesSeveralRequestsAtATime) {
    auto machine = machine_of(1);
    machine.nodes.ranks = 4;
    machine.storage.stripes = 1;
    machine.storage.server_link = mib;
    auto const time = [&](std::uint64_t at_once) {
        machine.storage.server_at_once = at_once;
        return simulate(machine, pattern_of(4, {written(blocks(4, mib))}), {}).time_s;
    };
    EXPECT_DOUBLE_EQ(time(1), 4);
    EXPECT_DOUBLE_EQ(time(2), 2);
    EXPECT_DOUBLE_EQ(time(3), 2);
}

TEST(Simulate, PhasesThatUseOtherTargetsAreEachLimitedByTheirs) {
    auto machine = machine_of(1);
    machine.storage.stripes = 1;
    machine.storage.targets.write = mib;
    auto pattern = pattern_of(1, {written(blocks(1, mib))});
    auto other = blocks(1, mib);
    other.file = 1;
    pattern.files[1].per_rank = false;
    pattern.phases.push_back(phase_of("other", {written(other)}));
    auto const outcome = simulate(machine, pattern, {});
    EXPECT_DOUBLE_EQ(outcome.time_s, 2);
    EXPECT_DOUBLE_EQ(outcome.resources.front().busiest_s, 2) << "one target at a time, all the time";
}

TEST(Simulate, AnotherStripeOfAFileIsNoneOfTheArrays) {
    auto machine = machine_of(1);
    machine.storage.stripe = machine.storage.request = 4 * mib;
    machine.storage.targets = {.count = 4, .read = mib, .write = mib, .reads_partial_stripes = true};
    auto const time = [&](std::uint64_t stripe) {
        return simulate(machine, pattern_of(1, {written(blocks(1, mib))}), {.stripe = stripe}).time_s;
    };
    EXPECT_DOUBLE_EQ(time(0), 4 + 1);
    EXPECT_DOUBLE_EQ(time(1024 * mib), 4 + 1);
    EXPECT_DOUBLE_EQ(time(2 * mib), 2 + 1);
}

TEST(Simulate, ARequestTakesItsWay) {
    auto machine = machine_of(1);
    machine.storage.stripes = 1;
    machine.storage.call = 0.5;
    machine.storage.client = 2 * mib;
    machine.storage.server_link = 4 * mib;
    machine.storage.targets.write = mib;
    machine.storage.targets.read = 8 * mib;
    machine.storage.targets.request = machine.storage.targets.request_read = 0.25;
    machine.network.latency = 0.0625;
    auto const outcome = simulate(machine, pattern_of(1, {Open{}, written(blocks(1, mib)), Close{}}));
    EXPECT_NEAR(outcome.time_s, 0.5 + 0.5 + 0.0625 + 0.25 + 0.25 + 1 + 0.0625, 1e-9);
    auto const back = simulate(machine, pattern_of(1, {Open{}, read(blocks(1, mib)), Close{}}));
    EXPECT_NEAR(back.time_s, 0.5 + 0.0625 + 0.25 + 0.125 + 0.25 + 0.5 + 0.0625, 1e-9);
}

TEST(Simulate, TargetsServeOneAfterAnotherAndStripesSpread) {
    auto machine = machine_of(8);
    machine.storage.targets.write = mib;
    auto const pattern = pattern_of(8, {Open{}, written(blocks(8, mib)), Close{}});
    EXPECT_NEAR(simulate(machine, pattern).time_s, 2, 1e-9);
    EXPECT_NEAR(of(simulate(machine, pattern), Doing::write).total_s, 4 * 1 + 4 * 2, 1e-9);
    EXPECT_NEAR(simulate(machine, pattern, {.stripes = 1}).time_s, 8, 1e-9);
    EXPECT_EQ(simulate(machine, pattern, {.stripes = 1}).resources.front().name, "targets");
}

TEST(Simulate, OpensOfOneFileWaitForEachOther) {
    constexpr std::uint64_t ranks = 100;
    auto machine = machine_of(ranks);
    machine.storage.metadata.open = machine.storage.metadata.create = 0.01;
    auto const pattern = pattern_of(ranks, {Open{}, Close{}});
    auto const outcome = simulate(machine, pattern);
    EXPECT_NEAR(of(outcome, Doing::create).total_s, 0.01 * ranks * (ranks + 1) / 2, 1e-9);
    machine.storage.metadata.collective = CollectiveOpen::tree;
    EXPECT_NEAR(simulate(machine, pattern).time_s, 7 * 0.01, 1e-9) << "levels of a binary tree";
    machine.storage.metadata.collective = CollectiveOpen::one;
    machine.network.latency = 0.001;
    EXPECT_NEAR(simulate(machine, pattern).time_s, 0.01 + 7 * 0.001, 1e-9);
}

TEST(Simulate, OwnFilesAreSpreadOverMetadataServersAndTargets) {
    auto machine = machine_of(8);
    machine.storage.metadata.servers = 2;
    machine.storage.metadata.create = 1;
    machine.storage.targets.write = mib;
    machine.storage.stripes = 1;
    auto access = blocks(8, mib);
    access.rank_levels = {};
    access.file = 1;
    Open open;
    open.file = 1;
    auto const outcome = simulate(machine, pattern_of(8, {open, written(access)}));
    EXPECT_NEAR(of(outcome, Doing::create).longest_s, 4, 1e-9);
}

TEST(Simulate, BarriersAndComputing) {
    auto machine = machine_of(16);
    machine.network.latency = 0.001;
    machine.network.overhead = 0.0001;
    auto const outcome = simulate(machine, pattern_of(16, {Compute{Seconds{1}, {{3, 1, 1}}}, Barrier{}}));
    EXPECT_NEAR(outcome.time_s, 1 + 4 * 0.0012, 1e-9);
    EXPECT_NEAR(of(outcome, Doing::barrier).total_s, 15 + 16 * 4 * 0.0012, 1e-9);
}

TEST(Simulate, BroadcastsAlongABinomialTree) {
    auto machine = machine_of(8);
    machine.network.latency = 0.001;
    machine.network.link = machine.network.bandwidth = 1000;
    auto const outcome = simulate(machine, pattern_of(8, {Broadcast{1000, 2, {}}}));
    EXPECT_NEAR(outcome.time_s, 3 * 1 + 3 * 0.001, 1e-9);
}

TEST(Simulate, MessagesShareLinks) {
    auto machine = machine_of(9);
    machine.network.link = machine.network.bandwidth = 1000;
    machine.network.latency = 0.5;
    // All send to the last one, which has one link.
    auto const gathered = pattern_of(9, {Send{{0, 4, 1}, {8, 1, 1}, 1000}});
    EXPECT_THROW(static_cast<void>(validate_pattern(gathered)), Error);
    std::vector<Step> sends;
    for (std::uint64_t rank = 0; rank < 8; ++rank) {
        sends.emplace_back(Send{{rank, 1, 1}, {8, 1, 1}, 1000});
    }
    EXPECT_NEAR(simulate(machine, pattern_of(9, sends)).time_s, 8.5, 1e-9);
    EXPECT_NEAR(simulate(machine, pattern_of(9, {Send{{0, 4, 1}, {4, 4, 1}, 1000}})).time_s, 1.5, 1e-9);
    machine.network.bisection = 2000;
    EXPECT_NEAR(simulate(machine, pattern_of(9, {Send{{0, 4, 1}, {4, 4, 1}, 1000}})).time_s, 2.5, 1e-9);
}

TEST(Simulate, AnExchangeIsOverWhenAllIsSentAndReceived) {
    auto machine = machine_of(4);
    machine.network.overhead = 0.125;
    auto const outcome =
        simulate(machine, pattern_of(4, {Send{{0, 2, 1}, {2, 2, 1}, 10}, Send{{2, 2, 1}, {0, 2, 1}, 10}, Barrier{}}));
    EXPECT_NEAR(of(outcome, Doing::message).longest_s, 0.25, 1e-9) << "of sending and of receiving";
    EXPECT_EQ(of(outcome, Doing::message).count, 8U);
    EXPECT_EQ(of(outcome, Doing::message).bytes, 40U);
}

TEST(Simulate, LocksMoveBetweenNodes) {
    auto machine = machine_of(2);
    machine.storage.targets.write = mib;
    machine.storage.locks = {LockUnit::file, false, 0, 3, 0};
    machine.storage.stripe = machine.storage.request = mib;
    auto const pattern = pattern_of(2, {Open{}, written(blocks(2, mib)), Close{}});
    EXPECT_NEAR(simulate(machine, pattern).time_s, 1 + 3 + 1, 1e-9);
    EXPECT_NEAR(simulate(machine, pattern, {.ranks_per_node = 2}).time_s, 1, 1e-9) << "one node, one client";
    machine.storage.locks = {LockUnit::bytes, false, mib, 3, 0};
    EXPECT_NEAR(simulate(machine, pattern).time_s, 1, 1e-9) << "each has its own";
}

TEST(Simulate, ALockOnAFileMayBeHeldForAWholeCall) {
    auto machine = machine_of(1);
    machine.nodes.ranks = 2;
    machine.storage.cache = 64 * mib;
    machine.storage.copy = mib;
    machine.storage.locks = {.unit = LockUnit::file, .of_ranks = true, .transfer = 3, .of_calls = true};
    auto const pattern = pattern_of(2, {Open{}, written(blocks(2, 4 * mib)), Close{}});
    EXPECT_NEAR(simulate(machine, pattern).time_s, 4 + 3 + 4, 1e-9) << "copies into the cache, one by one";
    machine.storage.locks.of_ranks = false;
    EXPECT_NEAR(simulate(machine, pattern).time_s, 4, 1e-9) << "one node, one client";
    machine.storage.locks.of_ranks = true;
    machine.storage.locks.of_calls = false;
    EXPECT_NEAR(simulate(machine, pattern).time_s, 4, 1e-9) << "requests are locked, copies are not";
    machine.storage.cache = 0;
    machine.storage.targets.write = mib;
    machine.storage.locks.of_calls = true;
    EXPECT_NEAR(simulate(machine, pattern).time_s, 1 + 3 + 1, 1e-9) << "four requests at once, then the other's";
    machine.nodes.ranks = 3;
    machine.storage.locks.waiter = 5;
    machine.storage.locks.waiter_byte = 7.0 / mib;
    auto const three = pattern_of(3, {Open{}, written(blocks(3, 4 * mib)), Close{}});
    EXPECT_NEAR(simulate(machine, three).time_s, 3 * 1 + 2 * 3 + 5 + 4 * 7, 1e-9) << "the third waits for the second";
}

TEST(Simulate, PartialStripesAreReadBefore) {
    auto machine = machine_of(1);
    machine.storage.targets.write = mib;
    machine.storage.targets.read = 4 * mib;
    machine.storage.targets.reads_partial_stripes = true;
    auto const time = [&](std::uint64_t bytes) {
        return simulate(machine, pattern_of(1, {Open{}, written(blocks(1, bytes))})).time_s;
    };
    EXPECT_NEAR(time(mib), 1, 1e-9);
    EXPECT_NEAR(time(mib / 2), 0.5 + 0.25, 1e-9);
}

TEST(Simulate, PositionsWhereRequestsDoNotFollowEachOther) {
    auto machine = machine_of(2);
    machine.storage.stripes = 1;
    machine.storage.targets.positioning = 1;
    machine.storage.in_flight = 1;
    auto const alone = simulate(machine, pattern_of(1, {Open{}, written(blocks(1, mib, 4))}));
    EXPECT_NEAR(alone.time_s, 1, 1e-9) << "once";
    auto const two = simulate(machine, pattern_of(2, {Open{}, written(blocks(2, mib, 4))}));
    EXPECT_NEAR(two.time_s, 8, 1e-9) << "in turns";
}

TEST(Simulate, CachesAcceptWritesAndSyncWaitsForThem) {
    auto machine = machine_of(1);
    machine.storage.stripes = 1;
    machine.storage.targets.write = mib;
    machine.storage.targets.cache = 3 * mib;
    machine.storage.in_flight = 1;
    {
        auto const outcome = simulate(machine, pattern_of(1, {Open{}, written(blocks(1, mib, 5)), Sync{}}));
        EXPECT_NEAR(of(outcome, Doing::write).total_s, 2, 1e-9) << "of five, three are in the cache";
        EXPECT_NEAR(outcome.time_s, 5, 1e-9);
    }
    machine.storage.targets.cache = 0;
    machine.storage.cache = 4 * mib;
    machine.nodes.copy = 10 * mib;
    auto const behind = simulate(machine, pattern_of(1, {Open{}, written(blocks(1, mib, 3)), Sync{}}));
    EXPECT_NEAR(of(behind, Doing::write).total_s, 0.3, 1e-9);
    EXPECT_NEAR(behind.time_s, 3.1, 1e-9);
    EXPECT_NEAR(of(behind, Doing::sync).total_s, 2.8, 1e-9);
}

TEST(Simulate, SmallWritesThatFollowEachOtherAreJoined) {
    auto machine = machine_of(1);
    machine.storage.stripes = 1;
    machine.storage.in_flight = 1;
    machine.storage.targets.request = 1;
    auto const small = pattern_of(1, {Open{}, written(blocks(1, mib / 4, 9))});
    EXPECT_NEAR(simulate(machine, small).time_s, 9, 1e-9) << "each by itself";
    machine.storage.gather = mib;
    EXPECT_NEAR(simulate(machine, small).time_s, 2, 1e-9) << "the rest is sent behind";
    auto const synced = pattern_of(1, {Open{}, written(blocks(1, mib / 4, 9)), Sync{}});
    EXPECT_NEAR(simulate(machine, synced).time_s, 3, 1e-9) << "a sync waits for the rest";
    EXPECT_EQ(of(simulate(machine, synced), Doing::write).count, 9U);
    machine.storage.targets.request = 0;
    machine.storage.targets.write = mib;
    EXPECT_NEAR(simulate(machine, synced).resources.front().busy_s, 2.25, 1e-9) << "the rest comes to its target, too";
    machine.storage.targets.request = 1;
    machine.storage.targets.write = unlimited;
    auto apart = blocks(1, mib / 4, 3);
    apart.extent.levels.front().stride = static_cast<std::int64_t>(mib);
    EXPECT_NEAR(simulate(machine, pattern_of(1, {Open{}, written(apart), Sync{}})).time_s, 3, 1e-9) << "none follows";
}

TEST(Simulate, ANodeReadsWhatItHas) {
    auto machine = machine_of(2);
    machine.storage.read_cache = 16 * mib;
    machine.nodes.copy = 4 * mib;
    machine.storage.targets.read = machine.storage.targets.write = mib;
    machine.storage.stripes = 1;
    auto const again = pattern_of(1, {Open{}, written(blocks(1, mib)), read(blocks(1, mib))});
    EXPECT_NEAR(of(simulate(machine, again), Doing::read).total_s, 0.25, 1e-9);
    machine.storage.read_cache = mib / 2;
    EXPECT_NEAR(of(simulate(machine, again), Doing::read).total_s, 1, 1e-9);
}

TEST(Simulate, ANodeReadsAheadOfReadsThatFollow) {
    auto machine = machine_of(1);
    machine.storage.read_cache = 64 * mib;
    machine.storage.stripes = 1;
    machine.storage.targets.request_read = 1;
    auto const time = [&](Access const& access) {
        auto pattern = pattern_of(1, {Open{0, OpenMode::read, {}, {}, false, {}}, read(access)});
        return simulate(machine, pattern).time_s;
    };
    auto const in_order = blocks(1, mib / 4, 14);
    EXPECT_NEAR(time(in_order), 14, 1e-9);
    machine.storage.read_ahead = mib;
    EXPECT_NEAR(time(in_order), 4, 1e-9) << "the last one ends with the file";
    auto backwards = in_order;
    backwards.extent.start = 13 * mib / 4;
    backwards.extent.levels.front().stride = -static_cast<std::int64_t>(mib / 4);
    EXPECT_NEAR(time(backwards), 14, 1e-9);
    auto large = blocks(1, 3 * mib / 2, 2);
    EXPECT_NEAR(time(large), 4, 1e-9) << "a large one by requests of 1 MiB, and no more than it asks for";
    machine.storage.targets.request_read = 0;
    machine.storage.targets.read = mib;
    EXPECT_NEAR(time(in_order), 3.5, 1e-9) << "each byte once";
    auto const once = simulate(machine, pattern_of(1, {read(in_order)})).phases.front();
    EXPECT_EQ(once.bytes_read, 14 * mib / 4);
    EXPECT_EQ(once.bytes_found, 0) << "what was read ahead was not there before";
    auto const again = simulate(machine, pattern_of(1, {read(in_order), read(in_order)})).phases.front();
    EXPECT_EQ(again.bytes_found, 14 * mib / 4);
}

TEST(Simulate, APhaseFindsNothingInMemoryWhereCachesAreDropped) {
    auto machine = machine_of(2);
    machine.storage.read_cache = 16 * mib;
    machine.nodes.copy = 4 * mib;
    machine.storage.targets.read = machine.storage.targets.write = mib;
    machine.storage.targets.cache = 64 * mib;
    machine.storage.targets.drains_at_sync = true;
    machine.storage.stripes = 1;
    Use const drops{.drops_caches = true};
    auto const write = phase_of("write", {Open{}, written(blocks(1, mib))});
    auto const reads = phase_of("read", {read(blocks(1, mib)), read(blocks(1, mib))});
    auto const pattern = pattern_of(1, {});
    auto const of_phases = [&](std::vector<Phase> phases, Use const& use) {
        auto made = pattern;
        made.phases = std::move(phases);
        return simulate(machine, made, use).phases.back().time_s;
    };
    EXPECT_NEAR(of_phases({write, reads}, {}), 0.5, 1e-9);
    EXPECT_NEAR(of_phases({write, reads}, drops), 1 + 0.25, 1e-9) << "what it has read itself it finds";
    auto both = reads;
    both.name = "again";
    EXPECT_NEAR(of_phases({write, reads, both}, drops), 1 + 0.25, 1e-9);
    auto const sync = phase_of("sync", {Step{Sync{}}});
    EXPECT_NEAR(of_phases({write, sync}, drops), 1, 1e-9) << "it reads nothing";
    EXPECT_NEAR(of_phases({write, reads, sync}, drops), 0, 1e-9) << "it was written to be dropped";
    machine.storage.targets.cache = 3 * mib / 2;
    EXPECT_NEAR(of_phases({write, reads, write}, drops), 0, 1e-9) << "and there is room for more";
}

TEST(Simulate, AFileOfEachRankIsWrittenToBeDropped) {
    auto machine = machine_of(2);
    machine.storage.stripes = 1;
    machine.storage.read_cache = machine.storage.targets.cache = 16 * mib;
    machine.storage.targets.drains_at_sync = true;
    machine.storage.targets.write = mib;
    auto own = blocks(2, mib);
    own.file = 1;
    auto pattern = pattern_of(2, {written(own)});
    pattern.phases.push_back(phase_of("read", {read(own)}));
    pattern.phases.push_back(phase_of("sync", {Step{Sync{1, {}}}}));
    EXPECT_NEAR(simulate(machine, pattern, {}).time_s, 1, 1e-9) << "to two targets";
    EXPECT_NEAR(simulate(machine, pattern, {.drops_caches = true}).time_s, 0, 1e-9);
}

TEST(Simulate, AsynchronousRequestsAreWaitedFor) {
    auto machine = machine_of(1);
    machine.storage.targets.write = mib;
    auto access = blocks(1, 4 * mib);
    access.asynchronous = true;
    auto const outcome =
        simulate(machine, pattern_of(1, {Open{}, written(access), Compute{Seconds{0.5}, {}}, Wait{}, Close{}}));
    EXPECT_NEAR(outcome.time_s, 1, 1e-9);
}

TEST(Simulate, CountsWhatThePatternAsks) {
    auto const machine = machine_of(8);
    auto pattern = pattern_of(6, {Open{}, Repeat{3, {written(blocks(6, 100000, 7)), Barrier{}}}, Sync{}, Close{}});
    auto const asked = totals(pattern);
    auto const outcome = simulate(machine, pattern);
    EXPECT_EQ(of(outcome, Doing::write).count, asked.operations);
    EXPECT_EQ(outcome.phases.front().bytes_written, asked.bytes_written);
    EXPECT_EQ(of(outcome, Doing::create).count, asked.opens);
    EXPECT_EQ(of(outcome, Doing::close).count, asked.closes);
    EXPECT_EQ(of(outcome, Doing::sync).count, asked.syncs);
}

TEST(Simulate, TimesScaleWithTheMachine) {
    auto machine = machine_of(6);
    machine.network = {1e-3, 1e-4, 1e6, 1e6, 3e6, 1e-4, 4e6};
    machine.storage.targets = {4, 3e5, 2e5, 1e-3, 1e-3, 5e-3, true, 1e5, 0};
    machine.storage.metadata.open = 1e-3;
    machine.storage.locks = {LockUnit::bytes, false, mib, 1e-3, 1e-4};
    auto slower = machine;
    for (auto* speed :
         {&slower.network.link, &slower.network.bandwidth, &slower.network.bisection, &slower.network.bandwidth_within,
          &slower.storage.targets.read, &slower.storage.targets.write}) {
        *speed /= 2;
    }
    for (auto* time :
         {&slower.network.latency, &slower.network.overhead, &slower.network.latency_within,
          &slower.storage.targets.request, &slower.storage.targets.request_read, &slower.storage.targets.positioning,
          &slower.storage.metadata.open, &slower.storage.locks.transfer, &slower.storage.locks.waiter}) {
        *time *= 2;
    }
    auto const pattern = pattern_of(6, {Open{}, Send{{0, 3, 1}, {3, 3, 1}, 50000}, written(blocks(6, 70000, 5)),
                                        Barrier{}, read(blocks(6, 70000, 5))});
    EXPECT_NEAR(simulate(slower, pattern).time_s / simulate(machine, pattern).time_s, 2, 1e-12);
    EXPECT_EQ(simulate(machine, pattern).time_s, simulate(machine, pattern).time_s);
}

/// All ranks read the same: at once for all, or each by itself, which a limit of time enforces.
TEST(Simulate, RanksThatDoTheSameAreDealtWithAtOnce) {
    for (std::uint64_t const stripes : {1, 3, 4}) {
        auto machine = machine_of(256);
        machine.network.latency = 1e-4;
        machine.storage.stripes = stripes;
        machine.storage.targets.read = 100 * mib;
        machine.storage.targets.request_read = 1e-3;
        machine.storage.targets.positioning = 2e-3;
        machine.storage.server_link = 300 * mib;
        machine.storage.client = 200 * mib;
        machine.storage.servers = 2;
        machine.storage.metadata.open = 1e-4;
        auto access = blocks(256, 3 * mib, 5);
        access.rank_levels = {};
        Open open;
        open.mode = OpenMode::read;
        auto pattern = pattern_of(256, {open, read(access), Barrier{}, read(access), Close{}});
        auto const folded = simulate(machine, pattern);
        pattern.phases.front().time_limit = Seconds{1e9};
        auto const each = simulate(machine, pattern);
        EXPECT_LT(folded.events, 10U);
        EXPECT_GT(each.events, 1000U);
        EXPECT_NEAR(folded.time_s / each.time_s, 1, 0.01);
        for (auto const doing : {Doing::open, Doing::read, Doing::barrier, Doing::close}) {
            EXPECT_EQ(of(folded, doing).count, of(each, doing).count);
            EXPECT_EQ(of(folded, doing).bytes, of(each, doing).bytes);
        }
        EXPECT_NEAR(of(folded, Doing::read).total_s / of(each, Doing::read).total_s, 1, 0.03);
        EXPECT_NEAR(of(folded, Doing::open).total_s / of(each, Doing::open).total_s, 1, 1e-9);
    }
}

/// Phases on files that are alike take the same time, and are simulated once.
TEST(Simulate, AlikePhasesAreSimulatedOnce) {
    auto machine = machine_of(8);
    machine.storage.targets.write = mib;
    machine.storage.metadata.create = 0.1;
    Pattern pattern{"test", 8, {}, {}};
    for (std::uint64_t i = 0; i < 5; ++i) {
        pattern.files.push_back({.name = "data" + std::to_string(i)});
        auto access = blocks(8, mib);
        access.file = i;
        Open open;
        open.file = i;
        Close close;
        close.file = i;
        pattern.phases.push_back(phase_of("dump " + std::to_string(i), {open, written(access), close}));
    }
    auto const outcome = simulate(machine, pattern);
    ASSERT_EQ(outcome.phases.size(), 5U);
    EXPECT_EQ(outcome.phases.back().name, "dump 4");
    auto one = pattern;
    one.phases.resize(1);
    auto const alone = simulate(machine, one);
    EXPECT_EQ(outcome.events, alone.events);
    EXPECT_NEAR(outcome.time_s, 5 * alone.time_s, 1e-9);
    EXPECT_NEAR(outcome.resources.front().busy_s, 5 * alone.resources.front().busy_s, 1e-9);
    machine.storage.targets.cache = 1;  // something may go on between them
    EXPECT_GT(simulate(machine, pattern).events, 4 * alone.events);
}

TEST(Simulate, RefusesMoreRanksThanTheMachineHas) {
    EXPECT_THROW(static_cast<void>(simulate(machine_of(3), pattern_of(4, {Barrier{}}))), Error);
    EXPECT_NO_THROW(static_cast<void>(simulate(machine_of(3), pattern_of(4, {Barrier{}}), {.ranks_per_node = 2})));
    EXPECT_THROW(static_cast<void>(simulate(machine_of(4), pattern_of(4, {Barrier{}}), {.stripes = 5})), Error);
}

}  // namespace
}  // namespace weir::sim
