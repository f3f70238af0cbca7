#include "apps/cloud/simulation.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "apps/cloud/problem.hpp"
#include "apps/cloud/totals.hpp"
#include "cloud/numbers.hpp"
#include "cloud/same_block.hpp"

namespace weir::cloud {
namespace {

constexpr Grid grid{{32, 32, 16}, 1.0 / 32};

State cloud() {
    State state(Decomposition({}, grid));
    fill_random_cloud(state, {});
    return state;
}

Physics physics(Stop const& stop) { return {.gas = {}, .gravity = RandomCloud{}.gravity(grid), .stop = stop}; }

TEST(RandomCloud, HasItsMeanAndItsAmplitude) {
    auto const state = cloud();
    auto const rho = state[Variable::density];
    Doubles contrast(rho.begin(), rho.end());
    contrast = plus(contrast, -1);
    auto const squares = std::inner_product(contrast.begin(), contrast.end(), contrast.begin(), 0.0);
    auto const n = static_cast<double>(rho.size());
    EXPECT_NEAR(mean_of(contrast), 0, 1e-12);
    EXPECT_NEAR(std::sqrt(squares / n), RandomCloud{}.amplitude, 1e-12);
}

TEST(Simulation, KeepsMassAndMomentum) {
    auto const p = physics({0, 14});
    Simulation run(cloud(), p);
    auto const before = totals_of(run.state(), p.gas.gamma);
    for (int i = 0; i < 20; ++i) {
        run.step();
    }
    auto const after = totals_of(run.state(), p.gas.gamma);
    expect_conserved(before, after);
}

/// Waves along all axes, and no gravity.
State waves() {
    State state(Decomposition({}, {{12, 10, 8}, 0.1}));
    fill(state, [](double x, double y, double z) -> std::array<double, 5> {
        return {1 + 0.3 * std::sin(5 * x + 3 * y), 0.2 * std::cos(7 * z), 0.1 * x, -0.1 * y, 1 + 0.2 * std::sin(9 * z)};
    });
    return state;
}

TEST(Simulation, SweepsAxesForthAndBackInTurns) {
    for (Index const first : {0, 1}) {
        auto expected = waves();
        expected.step = first;
        Simulation run(expected, {});
        Hydrodynamics hydro(expected.where(), Gas{});
        for (auto step = first; step < first + 3; ++step) {
            auto const forth = step % 2 == 0;
            hydro.advance(expected, hydro.time_step(expected), forth ? SweepOrder::xyz : SweepOrder::zyx);
            run.step();
            expect_same_block(run.state(), expected);
        }
    }
}

TEST(Simulation, CollapsesACloudOfManyJeansMasses) {
    Simulation run(cloud(), physics({}));
    auto const densest = [&] {
        auto const rho = run.state()[Variable::density];
        return *std::max_element(rho.begin(), rho.end());
    };
    auto const before = densest();
    auto const thirty = 30;
    for (int i = 0; i < thirty; ++i) {
        run.step();
    }
    EXPECT_GT(densest(), before);
    EXPECT_EQ(run.effort().capped, 0);
    RecordProperty("cycles_a_step", std::to_string(static_cast<double>(run.effort().cycles) / thirty));
}

TEST(Simulation, GoesOnFromAStateRoundedToFloatsBitForBit) {
    Simulation first(cloud(), physics({}));
    for (int i = 0; i < 3; ++i) {
        first.step();
    }
    State rounded = first.state();
    round_to_single(rounded);
    Simulation one(rounded, physics({}));
    Simulation other(rounded, physics({}));
    one.step();
    one.step();
    other.step();
    Simulation again(other.state(), physics({}));
    again.step();
    expect_same_block(again.state(), one.state());
}
TEST(Simulation, EndsAtTheTimeAskedFor) {
    Simulation run(cloud(), physics({}));
    while (run.state().time < 0.01) {
        run.step(0.01);
    }
    EXPECT_EQ(run.state().time, 0.01);
}

}  // namespace
}  // namespace weir::cloud
