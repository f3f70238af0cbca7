#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "apps/cloud/problem.hpp"
#include "apps/cloud/simulation.hpp"
#include "apps/common/gas/ordered_sum.hpp"
#include "cloud/same_block.hpp"
#include "core/random.hpp"

namespace weir::cloud {
namespace {

constexpr Grid cloud_grid{{24, 16, 32}, 1.0 / 24};

State run(Communicator const& comm, std::optional<Triple> const& ranks, Stop const& stop) {
    State state(Decomposition(comm, cloud_grid, ranks));
    fill_random_cloud(state, {});
    Physics physics;
    physics.gravity = RandomCloud{}.gravity(cloud_grid);
    physics.stop = stop;
    Simulation simulation(std::move(state), physics);
    for (int i = 0; i < 4; ++i) {
        simulation.step();
    }
    return simulation.state();
}

class SimulationOnRanks : public ::testing::TestWithParam<Stop> {};

TEST_P(SimulationOnRanks, IsBitwiseThatOfOneRank) {
    auto const world = Communicator::world();
    auto const size = static_cast<Index>(world.size());
    auto const whole = run({}, {}, GetParam());
    expect_same_block(run(world, {}, GetParam()), whole);
    expect_same_block(run(world, Triple{1, 1, size}, GetParam()), whole);
    expect_same_block(run(world, Triple{1, size, 1}, GetParam()), whole);
    expect_same_block(run(world, Triple{std::min<Index>(size, 2), size > 2 ? size / 2 : 1, 1}, GetParam()), whole);
}

INSTANTIATE_TEST_SUITE_P(Stops, SimulationOnRanks, ::testing::Values(Stop{0, 3}, Stop{1e-6, 20}));

TEST(OrderedSum, IsTheSameForEveryOrderAndNumberOfRanks) {
    auto const world = Communicator::world();
    constexpr std::size_t count = 4801;
    Doubles all;
    for (std::size_t i = 0; i < count; ++i) {
        auto const bits = mix(i);
        all.push_back(std::ldexp(static_cast<double>(bits >> 11U) - 0x1p52, static_cast<int>(bits % 60) - 30));
    }
    auto const whole = ordered_sum({}, all, count);
    Doubles mine;
    for (auto i = count; i-- > 0;) {
        if (i % world.size() == world.rank()) {
            mine.push_back(all[i]);
        }
    }
    EXPECT_EQ(ordered_sum(world, mine, count), whole);
    long double exact = 0;
    for (auto const x : all) {
        exact += x;
    }
    EXPECT_NEAR(whole, static_cast<double>(exact), 1e-15 * *std::max_element(all.begin(), all.end()));
}

}  // namespace
}  // namespace weir::cloud
