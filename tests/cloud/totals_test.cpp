#include "apps/cloud/totals.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

namespace weir::cloud {
namespace {

constexpr double gravity = 2;
constexpr double gas_gamma = 1.1;

struct Resolution : ::testing::Test {
    Resolution() {
        fill(state, [](double, double, double) -> std::array<double, 5> { return {1, 0, 0, 0, 1}; });
    }

    /// The density from which on Truelove's condition is broken at a pressure of 1: rho = pi gamma p / rho / (16 G
    /// dx^2).
    static double limit() { return std::sqrt(std::numbers::pi * gas_gamma / (16 * gravity)) / grid.spacing; }

    static constexpr Grid grid{{8, 4, 4}, 1.0 / 8};
    State state{Decomposition({}, grid)};
};

TEST_F(Resolution, BreaksWhereFourCellsReachTheJeansLength) {
    auto const density = state[Variable::density];
    EXPECT_FALSE(peak_of(state, gravity, gas_gamma).is_unresolved());
    density[8 * (4 * 2 + 1) + 5] = 0.999 * limit();
    EXPECT_FALSE(peak_of(state, gravity, gas_gamma).is_unresolved());
    density[8 * (4 * 2 + 1) + 5] = 1.001 * limit();
    auto const peak = peak_of(state, gravity, gas_gamma);
    EXPECT_TRUE(peak.is_unresolved());
    EXPECT_EQ(peak.cell, (Cell{5, 1, 2}));
    EXPECT_DOUBLE_EQ(peak.density, 1.001 * limit());
    EXPECT_FALSE(peak_of(state, 0, gas_gamma).is_unresolved());
}

TEST_F(Resolution, LooksForTheShortestJeansLengthNotTheGreatestDensity) {
    state[Variable::density][3] = 2;
    state[Variable::pressure][3] = 100;
    state[Variable::pressure][9] = 0.001;
    auto const peak = peak_of(state, gravity, gas_gamma);
    EXPECT_EQ(peak.density, 2);
    EXPECT_EQ(peak.cell, (Cell{1, 1, 0}));
}

TEST(Peak, OfEqualsIsTheFirstInAFile) {
    Peak const first{1, 2, {7, 0, 0}};
    Peak const later{3, 2, {0, 0, 1}};
    for (auto [one, other] : {std::pair{first, later}, {later, first}}) {
        one.add(other);
        EXPECT_EQ(one.cell, first.cell);
        EXPECT_EQ(one.density, 3);
    }
}

TEST_F(Resolution, FindsImpossibleCells) {
    EXPECT_FALSE(impossible_cell(state));
    constexpr auto nan = std::numeric_limits<double>::quiet_NaN();
    constexpr auto infinite = std::numeric_limits<double>::infinity();
    for (auto const& [variable, value] : {std::pair{Variable::density, 0.0},
                                          {Variable::density, -1.0},
                                          {Variable::pressure, 0.0},
                                          {Variable::velocity_y, nan},
                                          {Variable::potential, infinite},
                                          {Variable::pressure, nan}}) {
        auto broken = state;
        broken[variable][8 * 4 + 2] = value;
        EXPECT_EQ(impossible_cell(broken), (Cell{2, 0, 1}));
    }
}

}  // namespace
}  // namespace weir::cloud
