#include <gtest/gtest.h>

#include "support/sim/simulated.hpp"

namespace weir::sim {
namespace {

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

}  // namespace
}  // namespace weir::sim
