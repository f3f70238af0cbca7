#include <gtest/gtest.h>

#include "support/sim/simulated.hpp"

namespace weir::sim {
namespace {

using testing::blocks;
using testing::machine_of;
using testing::mib;
using testing::of;
using testing::pattern_of;
using testing::read;
using testing::written;

Access together(std::uint64_t ranks, std::uint64_t bytes) {
    auto access = blocks(ranks, bytes);
    access.collective = true;
    return access;
}

TEST(Collective, BytesAndOperationsCountOnce) {
    auto const outcome = simulate(machine_of(4), pattern_of(4, {Open{}, written(together(4, mib))}));
    EXPECT_EQ(outcome.phases.front().bytes_written, 4 * mib);
    EXPECT_EQ(of(outcome, Doing::write).count, 4U);
}

TEST(Collective, AllWhoOpenedTheFileMakeTheRequest) {
    auto machine = machine_of(3);
    auto const late = Compute{Seconds{10}, {{2, 1, 1}}};
    auto const after = Compute{Seconds{5}, {{0, 2, 1}}};
    auto const by_all = pattern_of(3, {Open{}, late, written(together(2, mib)), after, Close{}});
    EXPECT_NEAR(simulate(machine, by_all).time_s, 15, 1e-9) << "rank 2 has no bytes";
    EXPECT_EQ(of(simulate(machine, by_all), Doing::write).count, 2U);
    EXPECT_NEAR(simulate(machine, by_all, {.collective = false}).time_s, 10, 1e-9);
    auto by_phases = pattern_of(3, {Open{}});
    by_phases.phases.push_back(testing::phase_of("other", {late, written(together(2, mib)), after, Close{}}));
    EXPECT_NEAR(simulate(machine, by_phases).time_s, 15, 1e-9);
    Open two;
    two.ranks = {{0, 2, 1}};
    Close close;
    close.ranks = two.ranks;
    auto const by_two = pattern_of(3, {two, late, written(together(2, mib)), after, close});
    EXPECT_NEAR(simulate(machine, by_two).time_s, 10, 1e-9);
    auto one = together(1, mib);
    EXPECT_NEAR(simulate(machine, pattern_of(3, {Open{}, late, written(one), after})).time_s, 15, 1e-9);
}

TEST(Collective, ALastRoundIsDividedAmongAllAggregators) {
    auto machine = machine_of(4);
    machine.storage.client = mib;
    machine.storage.collective_buffer = 2 * mib;
    machine.storage.aggregators = 4;
    auto const outcome = simulate(machine, pattern_of(4, {Open{}, written(together(4, 3 * mib))}));
    EXPECT_NEAR(of(outcome, Doing::write).longest_s, 2 + 1, 1e-9);
}

TEST(Collective, AggregatorsNeedNoLocks) {
    auto machine = machine_of(4);
    machine.storage.aggregators = 4;
    auto const pattern = pattern_of(4, {Open{}, written(together(4, mib))});
    auto const without_s = simulate(machine, pattern).time_s;
    machine.storage.locks = {.unit = LockUnit::file, .transfer = 1};
    EXPECT_NEAR(simulate(machine, pattern).time_s, without_s, 1e-9);
    EXPECT_NEAR(simulate(machine, pattern, {.collective = false}).time_s, without_s + 3, 0.1) << "ranks do";
}

TEST(Collective, LatencyIsPaidInEachRoundAndAtTheEnd) {
    auto machine = machine_of(4);
    machine.network.latency = 1;
    machine.storage.collective_buffer = mib;
    auto const two_levels = 2.0;
    auto const writes = simulate(machine, pattern_of(4, {Open{}, written(together(4, 2 * mib))}));
    EXPECT_NEAR(writes.time_s, 2 * (two_levels + 2) + two_levels, 1e-9);
    auto const reads = simulate(machine, pattern_of(4, {Open{}, read(together(4, 2 * mib))}));
    EXPECT_NEAR(reads.time_s, 2 * (2 + two_levels), 1e-9);
}

TEST(Collective, CallsAreFollowedByPausesAndSyncs) {
    auto machine = machine_of(2);
    machine.storage.client = mib;
    machine.storage.metadata.sync = 0.25;
    auto access = blocks(2, mib, 3);
    access.collective = true;
    auto const time = [&](Access const& one) {
        return simulate(machine, pattern_of(2, {Open{}, written(one)})).time_s;
    };
    auto const plain = time(access);
    auto slower = access;
    slower.pace.think = Seconds{5};
    EXPECT_NEAR(time(slower), plain + 3 * 5, 1e-9);
    slower.pace = {.most_per_second = Bytes{mib / 8}};
    EXPECT_NEAR(time(slower), 3 * 8, 1e-9) << "more than a call takes";
    slower.list_io = true;
    EXPECT_NEAR(time(slower), 3 * 8, 1e-9) << "a list is one call, of all that a rank has";
    auto synced = access;
    synced.sync_each = true;
    auto const outcome = simulate(machine, pattern_of(2, {Open{}, written(synced)}));
    EXPECT_NEAR(outcome.time_s, plain + 3 * 2 * 0.25, 1e-9) << "of both ranks, one after another";
    EXPECT_EQ(of(outcome, Doing::sync).count, 3U * 2);
}

TEST(Collective, MovesNoBytesBelowThoseOfAllRanks) {
    auto machine = machine_of(2);
    machine.storage.stripes = 1;
    machine.storage.targets.write = machine.storage.targets.read = mib;
    auto backwards = together(2, mib);
    backwards.extent.start = 8 * mib;
    backwards.rank_levels = {{2, -static_cast<std::int64_t>(mib)}};
    EXPECT_NEAR(simulate(machine, pattern_of(2, {Open{}, written(backwards)})).time_s, 2, 1e-9);
    auto listed = together(2, mib);
    listed.list_io = true;
    listed.lists = PieceLists({{{0, 0}, {9 * mib, mib}}, {{8 * mib, mib}}});
    EXPECT_NEAR(simulate(machine, pattern_of(2, {Open{}, written(listed)})).time_s, 2, 1e-9);
    auto rows = together(2, 0);
    rows.list_io = true;
    rows.part.emplace();
    rows.part->what = {"rows", {Element::Kind::natural, 1}, {16, mib}, 0};
    rows.part->by.same = {8, 2};
    EXPECT_NEAR(simulate(machine, pattern_of(2, {Open{}, read(rows)})).time_s, 2, 1e-9);
}

TEST(Collective, EachPieceIsACall) {
    auto machine = machine_of(2);
    machine.network.latency = 1;
    auto const call = 1.0 + 2 + 1;
    auto access = together(2, mib);
    access.extent.levels = {{3, 2 * mib}};
    auto pattern = pattern_of(2, {Open{}, written(access), Barrier{}});
    auto const outcome = simulate(machine, pattern);
    EXPECT_NEAR(of(outcome, Doing::write).longest_s, call, 1e-9);
    EXPECT_EQ(of(outcome, Doing::write).count, 2 * 3U);
    EXPECT_EQ(outcome.phases.front().bytes_written, 2 * 3 * mib);
    EXPECT_NEAR(outcome.time_s, 3 * call + 1, 1e-9);
    pattern.phases.front().time_limit = Seconds{call + 1};
    EXPECT_NEAR(simulate(machine, pattern).time_s, 2 * call + 1, 1e-9) << "no third begins";
    access.list_io = true;
    EXPECT_NEAR(simulate(machine, pattern_of(2, {Open{}, written(access)})).time_s, call, 1e-9) << "a list is one";
    access = together(2, 0);
    access.lists = PieceLists({{{0, mib}, {4 * mib, mib}}, {{8 * mib, mib}}});
    auto const uneven = simulate(machine, pattern_of(2, {Open{}, written(access)}));
    EXPECT_NEAR(uneven.time_s, 2 * call, 1e-9);
    EXPECT_EQ(of(uneven, Doing::write).count, 3U) << "one rank has no second";
}

}  // namespace
}  // namespace weir::sim
