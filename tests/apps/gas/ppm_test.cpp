// The stages of one sweep, each against what its equation gives for numbers that can be reckoned by hand.

#include "apps/common/gas/ppm.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace weir::gas {
namespace {

constexpr Index ends = 4;  ///< cells before and behind those of a profile, as its first and its last

/// A profile along the sweep, the same in all lanes.
class Profile {
  public:
    explicit Profile(std::vector<double> const& cells)
        : values_((cells.size() + 2 * static_cast<std::size_t>(ends)) * static_cast<std::size_t>(lanes)) {
        auto const last = static_cast<Index>(cells.size()) - 1;
        for (Index c = -ends; c <= last + ends; ++c) {
            auto const at = static_cast<std::size_t>(std::min(std::max<Index>(c, 0), last));
            std::fill_n(first() + c * lanes, lanes, cells[at]);
        }
    }
    double* first() { return values_.data() + ends * lanes; }
    double at(Index cell) { return first()[cell * lanes]; }

  private:
    Doubles values_;
};

double steepness_of(std::vector<double> const& pressures, double below, double above) {
    Profile p(pressures);
    Profile u({below, below, above, above, above});
    Profile f({0, 0, 0, 0, 0});
    steepness(f.first(), p.first(), u.first(), 2, 3);
    return f.at(2);
}

TEST(Steepness, IsThatOfAStrongShockThatIsAFewCellsWide) {
    // 1 where two cells take more than 0.85 of what four take, 0 below 0.75, and linear in between.
    EXPECT_EQ(steepness_of({1, 1, 5, 10, 10}, 1, 0), 1);
    EXPECT_EQ(steepness_of({0.9, 1, 5, 10, 10.1}, 1, 0), 1);
    EXPECT_NEAR(steepness_of({1, 2, 5, 10, 11}, 1, 0), 0.5, 1e-12);
    EXPECT_EQ(steepness_of({1, 3, 5, 9, 11}, 1, 0), 0);
}

TEST(Steepness, IsNoneOfWeakWavesAndOfGasThatParts) {
    EXPECT_EQ(steepness_of({1, 1, 1.2, 1.34, 1.34}, 1, 0), 1);
    EXPECT_EQ(steepness_of({1, 1, 1.2, 1.32, 1.32}, 1, 0), 0);
    EXPECT_EQ(steepness_of({1, 1, 5, 10, 10}, 0, 1), 0);
}

TEST(Flattening, TakesTheGreaterOfTheCellAndItsNeighbourTowardsLowerPressure) {
    Profile f({0.25, 0.5, 0.75});
    Profile flat({0, 0, 0});
    Profile rising({1, 2, 3});
    flattening(flat.first(), f.first(), rising.first(), 1, 2);
    EXPECT_EQ(flat.at(1), 0.5);
    Profile falling({3, 2, 1});
    flattening(flat.first(), f.first(), falling.first(), 1, 2);
    EXPECT_EQ(flat.at(1), 0.75);
}

/// Two gases that meet between cells 3 and 4 of 8.
Pencils meeting(std::array<double, 5> const& left, std::array<double, 5> const& right) {
    Pencils p(8);
    for (std::size_t v = 0; v < 5; ++v) {
        std::fill_n(p.mean[v] - ghosts * lanes, 8 * lanes, left[v]);
        std::fill_n(p.mean[v] + 4 * lanes, 8 * lanes, right[v]);
    }
    return p;
}

/// Gas that meets head on with 10 from either side comes to rest between two shocks. Their pressure p + d follows from
/// d^2 = u^2 rho (gamma p + (gamma + 1) d / 2), a quadratic equation.
TEST(TwoShock, FindsThePressureBetweenStrongShocks) {
    Gas const gas{.gamma = 1.4, .riemann = RiemannSolver::two_shock, .viscosity = 0};
    auto p = meeting({1, 10, 0, 0, 1}, {1, -10, 0, 0, 1});
    constexpr double dt = 1e-3;
    sweep(p, dt, gas);
    auto const between = 1 + (120 + std::sqrt(120.0 * 120 + 4 * 140)) / 2;
    // Momentum: that of the gas, what flows in with its pressure, and the pressure at the face.
    auto const momentum = 10 - dt * (between - (100 + 1));
    EXPECT_NEAR(p.mean[0][3 * lanes], 1 + dt * 10, 1e-12);
    EXPECT_NEAR(p.mean[0][3 * lanes] * p.mean[1][3 * lanes], momentum, 1e-6);
    EXPECT_NEAR(p.mean[0][4 * lanes] * p.mean[1][4 * lanes], -momentum, 1e-6);
}

class Carried : public ::testing::TestWithParam<RiemannSolver> {};

/// What moves along the face comes from where the gas comes from, whichever way it goes.
TEST_P(Carried, ComesFromUpstream) {
    Gas const gas{.riemann = GetParam()};
    constexpr double dt = 0.25;
    auto p = meeting({1, 1, 3, 5, 1}, {1, 1, -3, -5, 1});
    sweep(p, dt, gas);
    EXPECT_NEAR(p.mean[2][3 * lanes], 3, 1e-9);
    EXPECT_NEAR(p.mean[2][4 * lanes], -3 + dt * 6, 1e-9);
    EXPECT_NEAR(p.mean[3][4 * lanes], -5 + dt * 10, 1e-9);
    auto back = meeting({1, -1, 3, 5, 1}, {1, -1, -3, -5, 1});
    sweep(back, dt, gas);
    EXPECT_NEAR(back.mean[2][3 * lanes], 3 - dt * 6, 1e-9);
    EXPECT_NEAR(back.mean[3][3 * lanes], 5 - dt * 10, 1e-9);
    EXPECT_NEAR(back.mean[2][4 * lanes], -3, 1e-9);
}

INSTANTIATE_TEST_SUITE_P(Solvers, Carried, ::testing::Values(RiemannSolver::hllc, RiemannSolver::two_shock));

/// A step far longer than the fastest wave needs for a cell takes more energy from one than it has.
TEST(Sweep, FindsAPressureThatIsNotPositiveWhereTheDensityIs) {
    auto p = meeting({1, 0, 0, 0, 0.1}, {1, 1.5, 0, 0, 1});
    sweep(p, 0.6, Gas{});
    EXPECT_GT(*std::min_element(p.mean[0], p.mean[0] + 8 * lanes), 0);
    EXPECT_LT(*std::min_element(p.mean[4], p.mean[4] + 8 * lanes), 0);
    EXPECT_FALSE(p.sound);
}

}  // namespace
}  // namespace weir::gas
