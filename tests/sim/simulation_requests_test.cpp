#include <gtest/gtest.h>

#include "support/sim/simulated.hpp"

namespace weir::sim {
namespace {

using testing::access_of;
using testing::blocks;
using testing::machine_of;
using testing::mib;
using testing::of;
using testing::pattern_of;
using testing::phase_of;
using testing::read;
using testing::same;
using testing::written;

TEST(Requests, RoutersServeOneAfterAnother) {
    auto machine = machine_of(4);
    machine.storage.routers = 2 * mib;
    EXPECT_NEAR(simulate(machine, pattern_of(4, {Open{}, written(blocks(4, mib))})).time_s, 2, 1e-9);
    EXPECT_NEAR(simulate(machine, pattern_of(4, {Open{}, read(blocks(4, mib))})).time_s, 2, 1e-9);
}

TEST(Requests, AServerTakesTimeForEachThatReadsOrWrites) {
    auto machine = machine_of(1);
    machine.storage.stripes = 1;
    machine.storage.server_request = 0.25;
    EXPECT_NEAR(simulate(machine, pattern_of(1, {Open{}, written(blocks(1, mib, 3))})).time_s, 0.75, 1e-9);
    EXPECT_NEAR(simulate(machine, pattern_of(1, {Open{}, read(blocks(1, mib, 3))})).time_s, 0.75, 1e-9);
}

TEST(Requests, RanksThatShareAProcessorTakeTheirCallsAndSeeksInTurns) {
    auto machine = machine_of(1);
    machine.storage.call = 0.5;
    machine.storage.seek = 0.125;
    machine.nodes.copy = mib;
    Use const two{.ranks_per_node = 2};
    EXPECT_NEAR(simulate(machine, pattern_of(2, {Open{}, written(blocks(2, mib))}), two).time_s, 1, 1e-9);
    EXPECT_NEAR(simulate(machine, pattern_of(2, {Open{}, Seek{}}), two).time_s, 0.25, 1e-9);
    machine.storage.cache = 4 * mib;
    EXPECT_NEAR(simulate(machine, pattern_of(2, {Open{}, written(blocks(2, mib))}), two).time_s, 1 + 2, 1e-9);
}

TEST(Requests, APauseFollowsEachAndARateIsKept) {
    auto const machine = machine_of(1);
    auto access = blocks(1, mib, 3);
    access.pace.think = Seconds{0.5};
    EXPECT_NEAR(simulate(machine, pattern_of(1, {Open{}, written(access)})).time_s, 1.5, 1e-9);
    access.pace = {{}, Bytes{2 * mib}};
    EXPECT_NEAR(simulate(machine, pattern_of(1, {Open{}, written(access)})).time_s, 1.5, 1e-9);
}

TEST(Requests, WriteBehindHasItsRoomAgainWhenItIsWritten) {
    auto machine = machine_of(1);
    machine.storage.stripes = 1;
    machine.storage.targets.write = mib;
    machine.storage.cache = mib;
    Compute const longer{Seconds{2}, {}};
    auto const outcome = simulate(
        machine, pattern_of(1, {Open{}, Repeat{3, {written(blocks(1, mib)), longer}}, written(blocks(1, mib, 2))}));
    EXPECT_NEAR(of(outcome, Doing::write).total_s, 2, 1e-9) << "of five, the last waits for its own and the one before";
}

/// Each of two ranks by itself.
Step write_of(std::uint64_t rank, std::uint64_t offset, std::uint64_t bytes) {
    return written(access_of({rank, 1, 1}, {}, {offset, {}, bytes}));
}

TEST(Requests, AWriteNeedsTheLocksOfAllItsStripes) {
    auto machine = machine_of(2);
    machine.storage.stripes = machine.storage.targets.count = 2;
    machine.storage.stripe = 100;
    machine.storage.request = 1000;
    machine.storage.targets.request = 10;
    machine.storage.locks.unit = LockUnit::bytes;
    machine.storage.locks.transfer = 1;
    auto const both = [&](std::uint64_t second) {
        return simulate(machine, pattern_of(2, {Open{}, write_of(0, 0, 300), write_of(1, second, 50)})).time_s;
    };
    EXPECT_NEAR(both(0), 10 + 1 + 10, 1e-9);
    EXPECT_NEAR(both(200), 10 + 1 + 10, 1e-9) << "the other stripe of the same request";
    EXPECT_NEAR(both(400), 20, 1e-9) << "one target";
    machine.storage.locks.bytes = 10;
    auto const halves = pattern_of(2, {Open{}, write_of(0, 0, 10), write_of(1, 10, 10)});
    EXPECT_NEAR(simulate(machine, halves).time_s, 20, 1e-9) << "units of less than a stripe";
}

TEST(Requests, NoneOvertakesALockThatItsClientIsGetting) {
    auto machine = machine_of(2);
    machine.storage.stripes = machine.storage.targets.count = 1;
    machine.storage.stripe = machine.storage.request = 10;
    machine.storage.targets.request = 10;
    machine.storage.locks.unit = LockUnit::file;
    machine.storage.locks.transfer = 5;
    for (std::uint64_t const in_flight : {1, 8}) {
        machine.storage.in_flight = in_flight;
        auto const pattern = pattern_of(2, {Open{}, write_of(0, 0, 10), write_of(1, 100, 80)});
        EXPECT_NEAR(simulate(machine, pattern).time_s, 10 + 5 + 80, 1e-9) << in_flight;
    }
}

TEST(Requests, RanksOfANodeWaitForWhatOneOfThemIsReading) {
    auto machine = machine_of(2);
    machine.nodes.ranks = 2;
    machine.storage.stripes = 1;
    machine.storage.targets.read = mib;
    machine.storage.read_cache = 16 * mib;
    auto const steps = std::vector<Step>{Open{}, read(same(2, 4 * mib)), Compute{Seconds{5}, {{1, 1, 1}}}};
    EXPECT_NEAR(simulate(machine, pattern_of(2, steps)).time_s, 4 + 5, 1e-9);
    EXPECT_NEAR(of(simulate(machine, pattern_of(2, steps)), Doing::read).total_s, 4 + 4, 1e-9);
    EXPECT_NEAR(simulate(machine, pattern_of(2, steps), {.ranks_per_node = 1}).time_s, 8 + 5, 1e-9);
}

TEST(Requests, ServersKeepWholeFilesOfRanksThatFit) {
    auto machine = machine_of(2);
    machine.storage.stripes = 1;
    machine.storage.targets.read = mib;
    machine.storage.targets.read_cache = mib;
    auto access = same(2, mib);
    access.file = 1;
    Open open;
    open.file = 1;
    auto pattern = pattern_of(2, {open, read(access)});
    auto large = blocks(1, 4 * mib);
    pattern.phases.push_back(phase_of("other", {Open{}, read(large)}));
    EXPECT_NEAR(simulate(machine, pattern).phases.front().time_s, 0, 1e-9);
    EXPECT_NEAR(simulate(machine, pattern).phases.back().time_s, 4, 1e-9);
}

TEST(Requests, FilesBeginOnTheTargetsInTurn) {
    auto machine = machine_of(2);
    machine.storage.stripes = 2;
    machine.storage.targets.write = mib;
    auto const to_file = [](std::uint64_t file) {
        auto access = blocks(1, 2 * mib);
        access.ranks.first = file;
        access.file = file;
        return written(access);
    };
    Pattern pattern{"test", 2, {{.name = "one"}, {.name = "other"}}, {}};
    pattern.phases = {phase_of("both at once", {to_file(0), to_file(1)})};
    EXPECT_NEAR(simulate(machine, pattern).time_s, 1, 1e-9) << "four targets";
}

TEST(Requests, ASyncWaitsForAllTargetsOfItsFile) {
    auto machine = machine_of(1);
    machine.storage.stripes = 2;
    machine.storage.targets.write = mib;
    machine.storage.targets.cache = 8 * mib;
    auto access = blocks(1, mib, 1);
    access.extent.start = mib;  // on the second target
    EXPECT_NEAR(simulate(machine, pattern_of(1, {Open{}, written(access), Sync{}})).time_s, 1, 1e-9);
}

TEST(Requests, ServersReadTheBlocksThatTheyHaveFromMemory) {
    auto machine = machine_of(1);
    machine.storage.stripes = 1;
    machine.storage.targets.read = mib;
    machine.storage.targets.read_cache = 2 * mib;
    auto const piece = [](std::uint64_t place) {
        auto access = blocks(1, mib);
        access.extent.start = place * mib;
        return read(access);
    };
    auto const order = pattern_of(1, {Open{}, piece(0), piece(1), piece(0), piece(2), piece(0), piece(1)});
    EXPECT_NEAR(simulate(machine, order).time_s, 4, 1e-9) << "block 0 is used again and again";
}

TEST(Requests, WaitsSyncsClosesAndPhasesEndWhenAsynchronousOnesAreComplete) {
    auto machine = machine_of(1);
    machine.storage.targets.write = mib;
    machine.storage.metadata.close = 0.25;
    auto access = blocks(1, 4 * mib, 2);
    access.asynchronous = true;
    auto const after = [&](std::vector<Step> steps) {
        steps.insert(steps.begin(), {Open{}, written(access)});
        return simulate(machine, pattern_of(1, std::move(steps)));
    };
    EXPECT_NEAR(after({}).time_s, 2, 1e-9);
    EXPECT_NEAR(after({Wait{}, Compute{Seconds{1}, {}}}).time_s, 3, 1e-9);
    EXPECT_NEAR(after({Sync{}, Compute{Seconds{1}, {}}}).time_s, 3, 1e-9);
    auto const closed = after({Close{}, Compute{Seconds{1}, {}}});
    EXPECT_NEAR(closed.time_s, 3.25, 1e-9);
    EXPECT_NEAR(of(closed, Doing::close).total_s, 2.25, 1e-9);
    Wait other;
    other.file = 1;
    EXPECT_NEAR(after({other, Compute{Seconds{1}, {}}}).time_s, 2, 1e-9) << "of another file";
}

TEST(Requests, WriteBehindGoesOnInTheNextPhase) {
    auto machine = machine_of(1);
    machine.storage.stripes = 1;
    machine.storage.targets.write = mib;
    machine.storage.cache = 3 * mib;
    machine.nodes.copy = 10 * mib;
    auto pattern = pattern_of(1, {Open{}, written(blocks(1, mib, 3))});
    pattern.phases.push_back(phase_of("sync", {Sync{}}));
    auto const synced = simulate(machine, pattern);
    EXPECT_NEAR(synced.phases.front().time_s, 0.3, 1e-9);
    EXPECT_NEAR(synced.phases.back().time_s, 2.8, 1e-9);
    EXPECT_NEAR(synced.resources.front().busy_s, 3, 1e-9);
    pattern.phases.back() = phase_of("more", {written(blocks(1, 3 * mib))});
    auto const full = simulate(machine, pattern);
    EXPECT_NEAR(full.phases.back().time_s, 5.8, 1e-9) << "there is no room: it waits behind the three before";
    EXPECT_NEAR(full.resources.front().busy_s, 6, 1e-9);
}

TEST(Requests, LocksOfStripesAreOfThoseThatAFileHas) {
    auto machine = machine_of(2);
    machine.storage.locks = {LockUnit::bytes, false, 0, 3, 0};
    machine.storage.stripes = 1;
    auto const time = [&](std::uint64_t stripe) {
        return simulate(machine, pattern_of(2, {Open{}, written(blocks(2, mib))}), {.stripe = stripe}).time_s;
    };
    EXPECT_NEAR(time(mib), 0, 1e-9) << "each has its own";
    EXPECT_NEAR(time(2 * mib), 3, 1e-9) << "both are in one";
}

TEST(Requests, AdjacentPiecesOfAListAreOne) {
    auto machine = machine_of(1);
    machine.storage.stripes = 1;
    machine.storage.targets.request = machine.storage.targets.request_read = 1;
    auto access = blocks(1, mib / 16, 10);
    access.list_io = true;
    EXPECT_NEAR(simulate(machine, pattern_of(1, {Open{}, written(access)})).time_s, 1, 1e-9);
    access.lists = PieceLists({{{4, 2}, {9, 1}, {0, 4}, {10, 5}}});
    EXPECT_NEAR(simulate(machine, pattern_of(1, {Open{}, written(access)})).time_s, 2, 1e-9) << "in file order";
    access.lists = {};
    access.extent.levels = {{2, mib / 16}, {5, mib / 8}};
    EXPECT_NEAR(simulate(machine, pattern_of(1, {Open{}, read(access)})).time_s, 1, 1e-9) << "every other one first";
}

TEST(Requests, ASyncOrPauseFollowsAListOnce) {
    auto machine = machine_of(1);
    machine.storage.metadata.sync = 1;
    machine.storage.targets.write = machine.storage.targets.read = mib;
    auto access = blocks(1, mib / 2, 4);
    access.extent.levels.front().stride = mib;
    access.list_io = true;
    auto const time = [&] { return simulate(machine, pattern_of(1, {Open{}, written(access)})).time_s; };
    EXPECT_NEAR(time(), 2, 1e-9);
    access.sync_each = true;
    EXPECT_NEAR(time(), 2 + 1, 1e-9);
    access.pace.think = Seconds{0.25};
    EXPECT_NEAR(time(), 2 + 1 + 0.25, 1e-9);
    access.pace = {{}, Bytes{mib / 2}};
    EXPECT_NEAR(time(), 4, 1e-9);
}

TEST(Requests, AListThatHasBegunComesToItsEnd) {
    auto machine = machine_of(1);
    machine.storage.targets.write = mib;
    auto access = blocks(1, mib / 2, 4);
    access.extent.levels.front().stride = mib;
    access.list_io = true;
    auto pattern = pattern_of(1, {Open{}, written(access), written(access)});
    pattern.phases.front().time_limit = Seconds{1.25};
    EXPECT_EQ(simulate(machine, pattern).phases.front().bytes_written, 2 * mib);
}

TEST(Requests, AsynchronousOnesAreUnderWayInTheirNumberToo) {
    auto machine = machine_of(1);
    machine.network.latency = 1;
    machine.storage.in_flight = 2;
    auto begun = blocks(1, 2 * mib, 3);
    begun.asynchronous = true;
    auto other = blocks(1, 2 * mib);
    other.file = 1;
    auto const time = [&](std::vector<Step> const& steps) { return simulate(machine, pattern_of(1, steps)).time_s; };
    EXPECT_NEAR(time({Open{}, written(begun)}), 3 * 2, 1e-9);
    EXPECT_NEAR(time({Open{}, written(begun), Compute{Seconds{1}, {}}, Wait{}}), 3 * 2, 1e-9);
    EXPECT_NEAR(time({Open{}, written(begun), written(other)}), 4 * 2, 1e-9) << "behind those begun before";
    Step const slow = Send{{0, 1, 1}, {1, 1, 1}, 1000};
    machine.nodes.count = 2;
    machine.network.bandwidth = 100;
    auto const beside = simulate(machine, pattern_of(2, {Open{}, written(begun), slow, Compute{Seconds{1}, {}}}));
    EXPECT_NEAR(beside.time_s, 1 + 10 + 1, 1e-9) << "messages are others";
    begun.extent.levels = {};
    begun.extent.length = 5 * mib;
    EXPECT_NEAR(time({Open{}, written(begun), written(other)}), 4 * 2, 1e-9) << "one beside the fifth, one after it";
}

}  // namespace
}  // namespace weir::sim
