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
using testing::same;

constexpr std::uint64_t many = 64;

/// The same with each rank by itself, which a limit of time enforces.
Outcome each(Machine const& machine, Pattern pattern) {
    pattern.phases.front().time_limit = Seconds{1e9};
    return simulate(machine, pattern);
}

TEST(ForAll, OnlyWhereAllRanksTakePart) {
    auto machine = machine_of(many);
    machine.storage.targets.read = 64 * mib;
    auto access = same(many - 1, mib);
    auto const pattern = pattern_of(many, {read(access), Barrier{}});
    EXPECT_EQ(of(simulate(machine, pattern), Doing::read).count, many - 1);
    EXPECT_EQ(simulate(machine, pattern).time_s, each(machine, pattern).time_s);
}

TEST(ForAll, NotWhereClosesGoByATreeOrAreOfOwnFiles) {
    auto machine = machine_of(many);
    machine.storage.metadata.close = 1;
    machine.storage.metadata.collective = CollectiveOpen::tree;
    auto const shared = pattern_of(many, {read(same(many, mib)), Close{}});
    EXPECT_NEAR(simulate(machine, shared).time_s, 6, 1e-9) << "levels";
    machine.storage.metadata.collective = CollectiveOpen::each;
    machine.storage.metadata.servers = 4;
    Close own;
    own.file = 1;
    EXPECT_NEAR(simulate(machine, pattern_of(many, {read(same(many, mib)), own})).time_s, many / 4.0, 1e-9);
}

TEST(ForAll, TheFileOfEachTurnCounts) {
    auto machine = machine_of(many);
    machine.storage.stripes = 1;
    machine.storage.targets.read = mib;
    machine.storage.targets.read_cache = mib;
    auto access = same(many, mib);
    access.file_advance = {1};
    Pattern pattern{"test", many, {{.name = "small"}, {.name = "large"}}, {}};
    auto large = blocks(many, mib);
    large.file = 1;
    pattern.phases = {testing::phase_of("reads", {Repeat{2, {read(access)}}}),
                      testing::phase_of("more", {read(large)})};
    auto const outcome = simulate(machine, pattern);
    EXPECT_NEAR(outcome.phases.front().time_s, 1, 1e-9) << "the server reads the large one's block once";
}

TEST(ForAll, AListIsOneRequestOfJoinedPieces) {
    auto machine = machine_of(many);
    machine.storage.call = 0.25;
    machine.storage.targets.request_read = 0.001;
    auto access = same(many, mib, 4);
    access.list_io = true;
    auto const pattern = pattern_of(many, {read(access)});
    auto const together = simulate(machine, pattern);
    ASSERT_LT(together.events, 10U);
    EXPECT_EQ(of(together, Doing::read).count, many);
    EXPECT_EQ(of(together, Doing::read).bytes, many * 4 * mib);
    EXPECT_NEAR(together.time_s, each(machine, pattern).time_s, 1e-9);
    EXPECT_NEAR(of(together, Doing::read).total_s, of(each(machine, pattern), Doing::read).total_s, 0.1);
}

TEST(ForAll, ProcessorsAreAsBusyAsOfEachByItself) {
    auto machine = machine_of(many);
    machine.storage.call = 0.25;
    auto const pattern = pattern_of(many, {Compute{Seconds{1}, {}}, read(same(many, mib, 2))});
    ASSERT_LT(simulate(machine, pattern).events, 10U);
    EXPECT_NEAR(simulate(machine, pattern).resources.front().busy_s, many * 1.5, 1e-9);
    EXPECT_NEAR(each(machine, pattern).resources.front().busy_s, many * 1.5, 1e-9);
}

}  // namespace
}  // namespace weir::sim
