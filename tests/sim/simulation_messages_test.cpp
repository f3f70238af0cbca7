#include <gtest/gtest.h>

#include "support/sim/simulated.hpp"

namespace weir::sim {
namespace {

using testing::machine_of;
using testing::of;
using testing::pattern_of;

TEST(Messages, WithinANodeGoThroughItsMemory) {
    auto machine = machine_of(2);
    machine.nodes.ranks = 2;
    machine.network = {100, 0, 1, 1, unlimited, 0.25, 1000};
    machine.nodes.copy_together = 1000;
    auto const one = simulate(machine, pattern_of(4, {Send{{0, 1, 1}, {1, 1, 1}, 1000}}));
    EXPECT_NEAR(one.time_s, 0.25 + 1, 1e-9);
    auto const both = simulate(machine, pattern_of(2, {Send{{0, 2, 1}, {0, 2, 1}, 1000}}));
    EXPECT_NEAR(both.time_s, 0.25 + 2, 1e-9) << "two copies share the memory";
}

Machine told(std::uint64_t processors = 0) {
    auto machine = machine_of(1);
    machine.nodes.ranks = 4;
    machine.nodes.processors = processors;
    machine.network.one_within = {{{0, 1}, {10, 2}, {20, 4}}};
    machine.network.both_within = {{{0, 2}, {20, 10}}};
    return machine;
}

TEST(Messages, WithinANodeTakeWhatTheMachineTellsOfTheirBytes) {
    auto const one = [](Machine const& machine, std::uint64_t bytes) {
        return simulate(machine, pattern_of(2, {Send{{0, 1, 1}, {1, 1, 1}, bytes}})).time_s;
    };
    auto machine = told();
    EXPECT_NEAR(one(machine, 5), 1.5, 1e-9);
    EXPECT_NEAR(one(machine, 30), 6, 1e-9);
    machine.network.fresh_within = {{{0, 0.5}}};
    EXPECT_NEAR(one(machine, 5), 2, 1e-9);
    machine.network.overhead = 0.25;
    EXPECT_NEAR(one(machine, 5), 2.5, 1e-9);
}

TEST(Messages, ThatGoBothWaysWithinANodeHaveATimeOfTheirOwn) {
    auto const swap = pattern_of(2, {Send{{0, 1, 1}, {1, 1, 1}, 10}, Send{{1, 1, 1}, {0, 1, 1}, 10}});
    EXPECT_NEAR(simulate(told(), swap).time_s, 6, 1e-9);
    auto const after = pattern_of(2, {Send{{0, 1, 1}, {1, 1, 1}, 10}, Barrier{}, Send{{1, 1, 1}, {0, 1, 1}, 10}});
    EXPECT_NEAR(simulate(told(), after).time_s, 2 + 1 + 2, 1e-9) << "the barrier takes a message of nothing";
}

TEST(Messages, WithinANodeToARankThatReceivesAnotherHaveATimeOfTheirOwn) {
    auto const two = pattern_of(3, {Send{{1, 1, 1}, {0, 1, 1}, 10}, Send{{2, 1, 1}, {0, 1, 1}, 10}});
    auto machine = told();
    EXPECT_NEAR(simulate(machine, two).time_s, 2 + 2, 1e-9) << "if the machine tells none, one after another";
    machine.network.further_within = {{{0, 0.5}}};
    EXPECT_NEAR(simulate(machine, two).time_s, 2 + 0.5, 1e-9);
    auto const later = pattern_of(3, {Send{{1, 1, 1}, {0, 1, 1}, 10}, Barrier{}, Send{{2, 1, 1}, {0, 1, 1}, 10}});
    EXPECT_NEAR(simulate(machine, later).time_s, 2 + 2 * 1 + 2, 1e-9) << "each by itself, and the barrier's two levels";
}

TEST(Messages, OfABroadcastWithinANodeFollowWithoutTheTimeOfNoBytes) {
    auto machine = told();
    auto const outcome = simulate(machine, pattern_of(4, {Broadcast{10, 0, {}}}));
    auto const hop = 2.0, gap = hop - 1;
    EXPECT_NEAR(outcome.time_s, 2 * hop, 1e-9) << "rank 3 behind rank 1";
    EXPECT_NEAR(simulate(machine, pattern_of(3, {Broadcast{10, 0, {}}})).time_s, gap + hop, 1e-9);
}

TEST(Messages, WithinANodeShareItsProcessors) {
    auto const pairs = pattern_of(4, {Send{{0, 1, 1}, {1, 1, 1}, 10}, Send{{2, 1, 1}, {3, 1, 1}, 10}});
    EXPECT_NEAR(simulate(told(), pairs).time_s, 2, 1e-9);
    EXPECT_NEAR(simulate(told(1), pairs).time_s, 4, 1e-9);
}

TEST(Messages, TheHalvesOfAMachineHaveABisectionEachWay) {
    auto machine = machine_of(4);
    machine.network.bisection = 1000;
    auto const to_and_fro = pattern_of(4, {Send{{0, 2, 1}, {2, 2, 1}, 1000}, Send{{2, 2, 1}, {0, 2, 1}, 1000}});
    EXPECT_NEAR(simulate(machine, to_and_fro).time_s, 2, 1e-9);
}

TEST(Messages, ABroadcastsRootSendsToOneAfterAnother) {
    auto machine = machine_of(3);
    machine.network.link = machine.network.bandwidth = 1000;
    machine.network.latency = 0.25;
    auto const outcome = simulate(machine, pattern_of(3, {Broadcast{1000, 1, {}}}));
    EXPECT_NEAR(outcome.time_s, 1 + 1.25, 1e-9);
    EXPECT_NEAR(of(outcome, Doing::message).total_s, 2 + 1.25 + 2.25, 1e-9);
}

TEST(Messages, OverheadIsOfASharedProcessor) {
    auto machine = machine_of(2);
    machine.network.overhead = 0.5;
    Use const two{.ranks_per_node = 2};
    EXPECT_NEAR(simulate(machine, pattern_of(4, {Send{{0, 1, 1}, {2, 1, 1}, 1}}), two).time_s, 2, 1e-9);
}

TEST(Messages, ARankReceivesWhenItsProcessorIsFree) {
    auto machine = machine_of(2);
    machine.network.overhead = 0.5;
    Step const send = Send{{0, 1, 1}, {1, 1, 1}, 1};
    EXPECT_NEAR(simulate(machine, pattern_of(2, {Compute{Seconds{5}, {{1, 1, 1}}}, send, send})).time_s, 5 + 2 * 0.5,
                1e-9);
    EXPECT_NEAR(simulate(machine, pattern_of(2, {send, send})).time_s, 3 * 0.5, 1e-9) << "the first while one is sent";
}

TEST(Messages, ABroadcastIsToAllOfItsRanksWhoeverActsForThem) {
    auto machine = machine_of(6);
    machine.network.link = machine.network.bandwidth = 1000;
    auto pattern = pattern_of(6, {Broadcast{1000, 4, {{4, 2, 1}, {0, 2, 1}}}, Compute{Seconds{5}, {{0, 1, 1}}}});
    auto const outcome = simulate(machine, pattern);
    EXPECT_EQ(of(outcome, Doing::message).count, 4U);
    EXPECT_NEAR(of(outcome, Doing::message).total_s, 2 + 2 + 2 + 2, 1e-9);
    EXPECT_NEAR(outcome.time_s, 2 + 5, 1e-9) << "rank 0 is the third of them from the root";
    pattern.phases.front().reorder = {ReorderKind::shift, 1, 0};
    EXPECT_NEAR(simulate(machine, pattern).time_s, 2 + 5, 1e-9);
}

TEST(Messages, AreOfTheRanksWhosePartsOthersDo) {
    auto machine = machine_of(4);
    machine.network.link = machine.network.bandwidth = 1000;
    Array const array{"a", {Element::Kind::natural, 1}, {4000}, 0};
    Move const scattered{.file = 0, .what = array, .by_to = Partition{.grid = {4}}};
    Compute const longer{Seconds{5}, {{2, 1, 1}}};
    auto pattern = pattern_of(4, {Send{{0, 1, 1}, {2, 1, 1}, 1000}, longer});
    for (auto const& reorder : {Reorder{}, Reorder{ReorderKind::shift, 1, 0}, Reorder{ReorderKind::shuffle, 0, 7}}) {
        pattern.phases.front().reorder = reorder;
        pattern.phases.front().steps.front() = Send{{0, 1, 1}, {2, 1, 1}, 1000};
        auto const sent = simulate(machine, pattern);
        EXPECT_NEAR(sent.time_s, 1 + 5, 1e-9) << "the receiver computes";
        EXPECT_EQ(of(sent, Doing::message).bytes, 1000U);
        pattern.phases.front().steps.front() = scattered;
        auto const moved = simulate(machine, pattern);
        EXPECT_NEAR(moved.time_s, 3 + 5, 1e-9);
        EXPECT_EQ(of(moved, Doing::message).bytes, 3000U);
    }
}

}  // namespace
}  // namespace weir::sim
