#include <gtest/gtest.h>

#include <algorithm>

#include "support/sim/simulated.hpp"

namespace weir::sim {
namespace {

using testing::machine_of;
using testing::of;
using testing::pattern_of;

TEST(Steps, RenamesAndRemovesAreServedOnceForAll) {
    auto machine = machine_of(4);
    machine.storage.metadata.rename = 0.5;
    machine.storage.metadata.remove = 0.125;
    machine.storage.metadata.base = 1;
    auto pattern = pattern_of(4, {Rename{0, 2, {}, {}}});
    pattern.files.push_back({.name = "to"});
    EXPECT_NEAR(simulate(machine, pattern).time_s, 1.5, 1e-9);
    EXPECT_NEAR(of(simulate(machine, pattern), Doing::rename).total_s, 4 * 1.5, 1e-9);
    EXPECT_NEAR(simulate(machine, pattern_of(4, {Remove{}})).time_s, 1.125, 1e-9);
}

TEST(Steps, EachRankRenamesAndRemovesAFileOfItsOwn) {
    auto machine = machine_of(4);
    machine.storage.metadata.rename = 0.5;
    machine.storage.metadata.remove = 0.125;
    EXPECT_NEAR(simulate(machine, pattern_of(4, {Remove{1, {}}})).time_s, 4 * 0.125, 1e-9);
    auto pattern = pattern_of(4, {Rename{1, 2, {}, {}}});
    pattern.files.push_back({.name = "to", .per_rank = true});
    EXPECT_NEAR(simulate(machine, pattern).time_s, 4 * 0.5, 1e-9);
}

TEST(Steps, WhatIsRemovedOrReplacedIsGivenUpAsFarAsItWasWritten) {
    auto machine = machine_of(1);
    machine.storage.metadata.freed = testing::mib;
    auto const time = [&](std::vector<Step> const& steps) {
        auto pattern = pattern_of(1, steps);
        pattern.files.push_back({.name = "to"});
        return simulate(machine, pattern).time_s;
    };
    auto const dump = std::vector<Step>{Open{}, testing::written(testing::blocks(1, 4 * testing::mib)), Close{}};
    auto const replaced = [&](int times) {
        std::vector<Step> steps;
        for (int i = 0; i < times; ++i) {
            steps.insert(steps.end(), dump.begin(), dump.end());
            steps.emplace_back(Rename{0, 2, {}, {}});
        }
        return steps;
    };
    EXPECT_NEAR(time({dump[0], dump[1], dump[2], Remove{}}), 4, 1e-9);
    EXPECT_NEAR(time({Remove{}}), 0, 1e-9) << "there is none";
    EXPECT_NEAR(time(replaced(1)), 0, 1e-9) << "a new name";
    EXPECT_NEAR(time(replaced(3)), 2 * 4, 1e-9);
    auto again = replaced(1);
    again.emplace_back(Remove{2, {}});
    EXPECT_NEAR(time(again), 4, 1e-9) << "under its new name";
    auto large = testing::blocks(1, 8 * testing::mib);
    Open open;
    Close close;
    large.file = open.file = close.file = 2;
    again.insert(again.begin(), {open, testing::written(large), close});
    EXPECT_NEAR(time(again), 8 + 4, 1e-9) << "a smaller one in the place of a large one";
    std::rotate(again.begin(), again.begin() + 3, again.end());
    again.emplace_back(Remove{2, {}});
    EXPECT_NEAR(time(again), 4 + 8, 1e-9) << "and the other way around";
    machine.storage.targets.cache = 64 * testing::mib;
    machine.storage.targets.drains_at_sync = true;
    EXPECT_NEAR(time({dump[0], dump[1], dump[2], Remove{}}), 0, 1e-9) << "in memory only";
    EXPECT_NEAR(time({dump[0], dump[1], Sync{}, dump[2], Remove{}}), 4, 1e-9);
}

TEST(Steps, FilesThatRanksOpenTogetherShareTheirServer) {
    auto machine = machine_of(4);
    machine.storage.metadata.open = machine.storage.metadata.create = 1;
    machine.storage.metadata.close = 0.25;
    machine.storage.metadata.base = 4;
    auto const open = [](std::uint64_t file, std::uint64_t first) {
        Open one;
        one.file = file;
        one.ranks = {{first, 2, 1}};
        return one;
    };
    auto const close = [](std::uint64_t file, std::uint64_t first) {
        Close one;
        one.file = file;
        one.ranks = {{first, 2, 1}};
        return one;
    };
    auto pattern = pattern_of(4, {open(0, 0), open(2, 2), close(0, 0), close(2, 2)});
    pattern.files.push_back({.name = "other"});
    for (auto const way : {CollectiveOpen::one, CollectiveOpen::tree}) {
        machine.storage.metadata.collective = way;
        auto const outcome = simulate(machine, pattern);
        EXPECT_NEAR(of(outcome, Doing::create).longest_s, 2 + 4, 1e-9);
        EXPECT_EQ(outcome.resources.front().name, "metadata servers");
    }
    EXPECT_NEAR(simulate(machine, pattern).time_s, 6 + 0.25 + 4, 1e-9) << "each pair closes when it has opened";
}

TEST(Steps, ClosesAreServedOneAfterAnotherButNotBehindOpens) {
    auto machine = machine_of(4);
    machine.storage.metadata.close = 0.25;
    EXPECT_NEAR(simulate(machine, pattern_of(4, {Close{}})).time_s, 1, 1e-9);
    machine.storage.metadata.at_once = 2;
    EXPECT_NEAR(simulate(machine, pattern_of(4, {Close{}})).time_s, 0.5, 1e-9);
    machine.storage.metadata.at_once = 1;
    machine.storage.metadata.open = machine.storage.metadata.create = 1;
    Close close;
    close.ranks = {{0, 1, 1}};
    EXPECT_NEAR(of(simulate(machine, pattern_of(4, {Open{}, close})), Doing::close).total_s, 0.25, 1e-9);
}

TEST(Steps, ASharedProcessorComputesForEachOfItsRanks) {
    auto const machine = machine_of(1);
    auto const pattern = pattern_of(2, {Compute{Seconds{1}, {}}});
    auto const outcome = simulate(machine, pattern, {.ranks_per_node = 2});
    EXPECT_NEAR(outcome.time_s, 2, 1e-9);
    EXPECT_NEAR(outcome.resources.front().busiest_s, 2, 1e-9) << "it is busy all the time";
}

TEST(Steps, WhatWasRemovedOrRenamedIsCreatedAnew) {
    auto machine = machine_of(2);
    machine.storage.metadata.create = 1;
    machine.storage.metadata.open = 0.25;
    auto const created = [&](std::vector<Step> const& between, std::uint64_t file) {
        Open open;
        open.file = file;
        std::vector<Step> steps{open};
        steps.insert(steps.end(), between.begin(), between.end());
        steps.emplace_back(open);
        auto pattern = pattern_of(2, steps);
        pattern.files.push_back({.name = "to"});
        return simulate(machine, pattern).time_s;
    };
    EXPECT_NEAR(created({Close{}}, 0), 1.25 + 0.5, 1e-9);
    EXPECT_NEAR(created({Remove{}}, 0), 1.25 + 1.25, 1e-9);
    EXPECT_NEAR(created({Remove{1, {}}}, 1), 2 + 2, 1e-9) << "files of ranks";
    EXPECT_NEAR(created({Rename{0, 2, {}, {}}}, 0), 1.25 + 1.25, 1e-9);
    Open replaced;
    replaced.file = 2;
    EXPECT_NEAR(created({Rename{0, 2, {}, {}}, replaced}, 0), 1.25 + 0.5 + 1.25, 1e-9) << "there is one of that name";
}

}  // namespace
}  // namespace weir::sim
