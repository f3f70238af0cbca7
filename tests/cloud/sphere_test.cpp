// A cold sphere that falls in on itself, against the equation of motion of its surface.

#include "apps/cloud/sphere.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "apps/cloud/simulation.hpp"
#include "apps/cloud/totals.hpp"
#include "cloud/radial.hpp"

namespace weir::cloud {
namespace {

constexpr Index cells = 32;
const double free_fall = std::sqrt(3 * std::numbers::pi / 32);

/// A sphere's radius in units of its first, at a time: a'' = -4 pi / 3 (1 / a^2 - mean a). The mean density of the box
/// acts as one of opposite sign. Classical Runge-Kutta.
double exact_radius(double time, double mean) {
    auto const acceleration = [&](double a) { return -4 * std::numbers::pi / 3 * (1 / (a * a) - mean * a); };
    constexpr int steps = 2000;
    auto const dt = time / steps;
    double a = 1;
    double v = 0;
    for (int i = 0; i < steps; ++i) {
        auto const a1 = v;
        auto const v1 = acceleration(a);
        auto const a2 = v + dt / 2 * v1;
        auto const v2 = acceleration(a + dt / 2 * a1);
        auto const a3 = v + dt / 2 * v2;
        auto const v3 = acceleration(a + dt / 2 * a2);
        auto const a4 = v + dt * v3;
        auto const v4 = acceleration(a + dt * a3);
        a += dt / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
        v += dt / 6 * (v1 + 2 * v2 + 2 * v3 + v4);
    }
    return a;
}

/// The radius that holds half of the sphere's mass.
double half_mass_radius(State const& state) {
    constexpr int points = 4;
    constexpr double width = 1e-3;
    auto const h = state.where().grid().spacing;
    auto const share = h * h * h / (points * points * points);
    std::vector<double> mass(1000);
    for_distances(state, points, [&](double r, std::size_t cell) {
        mass[static_cast<std::size_t>(r / width)] += share * state[Variable::density][cell];
    });
    auto left = 0.5 * 4 * std::numbers::pi / 3 * std::pow(0.25, 3);
    std::size_t bin = 0;
    for (; left > mass[bin]; ++bin) {
        left -= mass[bin];
    }
    return width * (static_cast<double>(bin) + left / mass[bin]);
}

TEST(ColdSphere, FallsInAsItShould) {
    State initial(Decomposition({}, {{cells, cells, cells}, 1.0 / cells}));
    fill_cold_sphere(initial);
    Physics physics;
    physics.gas.gamma = 5.0 / 3;
    physics.gas.cfl = 0.2;  // 44 steps; 0.4 takes 23, and the last radius is then 2.1 % off
    physics.gravity = 1;
    physics.stop = {1e-8, 30};
    auto const first = half_mass_radius(initial);
    Simulation run(std::move(initial), physics);
    auto const before = totals_of(run.state(), physics.gas.gamma);
    for (auto const part : {0.3, 0.5, 0.65, 0.75, 0.85}) {
        while (run.state().time < part * free_fall) {
            run.step(part * free_fall);
        }
        auto const radius = half_mass_radius(run.state()) / first;
        auto const exact = exact_radius(run.state().time, before.mass);
        RecordProperty("error_at_" + std::to_string(part), std::to_string(100 * (radius / exact - 1)) + " %");
        EXPECT_NEAR(radius, exact, 0.02 * exact) << "at " << part << " free-fall times";
    }
    auto const after = totals_of(run.state(), physics.gas.gamma);
    auto const drift = after.gas_energy + after.potential_energy - before.gas_energy - before.potential_energy;
    RecordProperty("energy_drift", std::to_string(100 * drift / -before.potential_energy) + " % of |W|");
    RecordProperty("steps", std::to_string(run.state().step));
    EXPECT_EQ(run.effort().capped, 0);
    EXPECT_NEAR(drift, 0, 0.009 * -before.potential_energy);
    EXPECT_NEAR(after.mass, before.mass, 1e-12 * before.mass);
    for (auto const momentum : after.momentum) {
        EXPECT_NEAR(momentum, 0, 1e-12);
    }
}

TEST(ColdSphere, OfTheEquationOfMotion) {
    EXPECT_NEAR(exact_radius(0.3 * free_fall, 0.0748), 0.9476, 2e-4);
    EXPECT_NEAR(exact_radius(0.85 * free_fall, 0.0748), 0.4903, 5e-4);
}

}  // namespace
}  // namespace weir::cloud
