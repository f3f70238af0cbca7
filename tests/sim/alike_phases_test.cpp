#include "sim/alike_phases.hpp"

#include <gtest/gtest.h>

#include "support/sim/simulated.hpp"

namespace weir::sim {
namespace {

using testing::blocks;
using testing::machine_of;
using testing::mib;
using testing::phase_of;
using testing::written;

Phase dump(std::uint64_t file, std::uint64_t bytes = mib) {
    Open open;
    open.file = file;
    auto access = blocks(2, bytes);
    access.file = file;
    return phase_of("to " + std::to_string(file), {open, written(access)});
}

Pattern of_phases(std::vector<Phase> phases) {
    Pattern pattern{"test", 2, {{.name = "a"}, {.name = "b"}, {.name = "c"}, {.name = "own", .per_rank = true}}, {}};
    pattern.phases = std::move(phases);
    return pattern;
}

using Firsts = std::vector<std::size_t>;

TEST(AlikePhases, AreTheSameOnOtherFiles) {
    EXPECT_EQ(alike_phases(of_phases({dump(0), dump(1), dump(2)})), (Firsts{0, 0, 0}));
    EXPECT_EQ(alike_phases(of_phases({dump(0), dump(1, 2 * mib), dump(2, 2 * mib)})), (Firsts{0, 1, 1}));
    EXPECT_EQ(alike_phases(of_phases({dump(0), dump(3)})), (Firsts{0, 1})) << "a file of each rank";
}

TEST(AlikePhases, FilesThatWereUsedBeforeAreOthers) {
    EXPECT_EQ(alike_phases(of_phases({dump(0), dump(0), dump(0), dump(1), dump(1)})), (Firsts{0, 1, 1, 0, 1}));
    auto machine = machine_of(2);
    machine.storage.metadata.create = 1;
    machine.storage.metadata.open = 0.25;
    EXPECT_NEAR(simulate(machine, of_phases({dump(0), dump(0), dump(0)})).time_s, (1 + 0.25) + 2 * 0.5, 1e-9);
}

TEST(AlikePhases, FilesOfThoseThatAreLeftOutAreThereLater) {
    auto machine = machine_of(2);
    machine.storage.metadata.create = 1;
    machine.storage.metadata.open = 0.25;
    constexpr double made = 1 + 0.25;
    constexpr double found = 0.5;
    EXPECT_NEAR(simulate(machine, of_phases({dump(0), dump(1), dump(1)})).time_s, 2 * made + found, 1e-9);
    EXPECT_EQ(simulate(machine, of_phases({dump(0), dump(0), dump(1), dump(1)})).events,
              simulate(machine, of_phases({dump(0), dump(0)})).events)
        << "who finds it is left out as well";
    auto all = dump(0);
    std::get<Open>(all.steps.front()).file_advance = {1};
    all.steps = {Repeat{2, {all.steps.front()}}};
    EXPECT_NEAR(simulate(machine, of_phases({all, dump(2), dump(1)})).time_s, 3 * made + found, 1e-9)
        << "it is used in a later turn";
}

TEST(AlikePhases, FilesThatShareATargetAreOthers) {
    auto machine = machine_of(2);
    machine.storage.stripes = 1;
    machine.storage.targets.count = 2;
    machine.storage.targets.write = mib;
    auto const both = [](std::uint64_t one, std::uint64_t other) {
        auto phase = dump(one, mib / 2);
        auto const more = dump(other, mib / 2);
        phase.steps.insert(phase.steps.end(), more.steps.begin(), more.steps.end());
        return phase;
    };
    auto pattern = of_phases({both(0, 1), both(2, 4)});
    pattern.files = {{.name = "a"}, {.name = "b"}, {.name = "c"}, {.name = "d"}, {.name = "e"}};
    EXPECT_EQ(alike_phases(pattern), (Firsts{0, 1}));
    pattern.phases[1] = both(2, 3);
    EXPECT_EQ(alike_phases(pattern), (Firsts{0, 0}));
}

TEST(AlikePhases, LeaveLocksOnWhatTheyWrite) {
    EXPECT_EQ(alike_phases(of_phases({dump(0), dump(0), dump(0)}), true), (Firsts{0, 1, 2}));
    EXPECT_EQ(alike_phases(of_phases({dump(0), dump(0), dump(1), dump(1)}), true), (Firsts{0, 1, 0, 1}));
    EXPECT_EQ(alike_phases(of_phases({dump(3), dump(3), dump(3)}), true), (Firsts{0, 1, 1})) << "a file of each rank";
    auto machine = machine_of(2);
    machine.storage.locks.unit = LockUnit::file;
    machine.storage.locks.transfer = 1;
    auto const pattern = of_phases({dump(0), dump(0), dump(0), dump(1), dump(1, 2 * mib)});
    auto const outcome = simulate(machine, pattern);
    EXPECT_NEAR(outcome.phases[0].time_s, 1, 1e-9);
    EXPECT_NEAR(outcome.phases[1].time_s, 2, 1e-9) << "the other one has the lock";
    EXPECT_NEAR(outcome.phases[2].time_s, 2, 1e-9);
    EXPECT_NEAR(outcome.phases[3].time_s, 1, 1e-9);
    EXPECT_NEAR(outcome.phases[4].time_s, 2, 1e-9) << "who had it before was like others, but not left out";
}

TEST(AlikePhases, LeaveFilePointers) {
    auto access = blocks(1, mib);
    access.seeks = true;
    auto const rewrite = phase_of("rewrite", {written(access)});
    auto machine = machine_of(2);
    machine.storage.seek = 1;
    auto const pattern = of_phases({phase_of("open", {Open{}}), rewrite, rewrite, rewrite});
    auto const outcome = simulate(machine, pattern);
    EXPECT_NEAR(outcome.phases[1].time_s, 0, 1e-9);
    EXPECT_NEAR(outcome.phases[2].time_s, 1, 1e-9);
    EXPECT_NEAR(outcome.phases[3].time_s, 1, 1e-9);
}

}  // namespace
}  // namespace weir::sim
