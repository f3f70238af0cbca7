// Problems with known solutions: the code against them.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "apps/cloud/hydrodynamics.hpp"
#include "apps/cloud/known_problems.hpp"
#include "apps/cloud/simulation.hpp"
#include "cloud/radial.hpp"
#include "cloud/same_block.hpp"

namespace weir::cloud {

// Sod's shock tube against its exact solution.
namespace {

constexpr double gamma_air = 1.4;

/// Density at xi = (x - diaphragm) / t: rarefaction, contact, shock. Toro: Riemann solvers, section 4.3.3, test 1.
double exact_density(double xi) {
    constexpr double p_star = 0.303130178050646;
    constexpr double u_star = 0.927452620048950;
    auto const sound = std::sqrt(gamma_air);
    auto const behind_fan = std::pow(p_star, 1 / gamma_air);
    auto const tail = u_star - sound * std::pow(p_star, (gamma_air - 1) / (2 * gamma_air));
    constexpr double ratio = (gamma_air - 1) / (gamma_air + 1);
    auto const behind_shock = 0.125 * (p_star / 0.1 + ratio) / (ratio * p_star / 0.1 + 1);
    auto const shock = behind_shock * u_star / (behind_shock - 0.125);
    if (xi < -sound) {
        return 1;
    }
    if (xi < tail) {
        return std::pow(2 / (gamma_air + 1) - ratio / sound * xi, 2 / (gamma_air - 1));
    }
    return xi < u_star ? behind_fan : xi < shock ? behind_shock : 0.125;
}

/// Density along the tube at t = 0.2, with n cells a unit length.
std::vector<double> run_tube(Index n, std::size_t axis, RiemannSolver riemann) {
    Triple cells{4, 4, 4};
    cells[axis] = 2 * n;
    State state(Decomposition({}, {cells, 1.0 / static_cast<double>(n)}));
    fill_sod_tube(state, axis);
    Hydrodynamics hydro(state.where(), {.gamma = gamma_air, .riemann = riemann, .cfl = 0.6});
    while (state.time < 0.2) {
        auto const dt = std::min(hydro.time_step(state), 0.2 - state.time);
        hydro.advance(state, dt, state.step % 2 == 0 ? SweepOrder::xyz : SweepOrder::zyx);
        state.time += dt;
        ++state.step;
    }
    std::vector<double> density;
    Index const stride = axis == 0 ? 1 : axis == 1 ? 4 : 16;
    for (Index i = 0; i < 2 * n; ++i) {
        density.push_back(state[Variable::density][static_cast<std::size_t>(i * stride)]);
    }
    return density;
}

/// Mean error over 0 < x < 1, around the diaphragm at 0.5.
double density_error(Index n, RiemannSolver riemann) {
    auto const density = run_tube(n, 0, riemann);
    double sum = 0;
    for (Index i = 0; i < n; ++i) {
        auto const x = (static_cast<double>(i) + 0.5) / static_cast<double>(n);
        sum += std::abs(density[static_cast<std::size_t>(i)] - exact_density((x - 0.5) / 0.2));
    }
    return sum / static_cast<double>(n);
}

class SodTube : public ::testing::TestWithParam<RiemannSolver> {};

TEST_P(SodTube, ApproachesTheExactSolution) {
    auto const coarse = density_error(64, GetParam());
    auto const middle = density_error(128, GetParam());
    auto const fine = density_error(256, GetParam());
    RecordProperty("L1_64", std::to_string(coarse));
    RecordProperty("L1_128", std::to_string(middle));
    RecordProperty("L1_256", std::to_string(fine));
    EXPECT_LE(middle, 4e-3);
    EXPECT_LE(fine, 2e-3);
    EXPECT_LE(fine, 0.7 * 0.7 * coarse);
}

TEST_P(SodTube, IsTheSameAlongEveryAxisAndInTheMirror) {
    auto const x = run_tube(64, 0, GetParam());
    auto const y = run_tube(64, 1, GetParam());
    auto const z = run_tube(64, 2, GetParam());
    for (std::size_t i = 0; i < x.size(); ++i) {
        EXPECT_NEAR(y[i], x[i], 1e-12);
        EXPECT_NEAR(z[i], x[i], 1e-12);
        EXPECT_NEAR(x[x.size() - 1 - i], x[i], 1e-12);
    }
}

INSTANTIATE_TEST_SUITE_P(Solvers, SodTube, ::testing::Values(RiemannSolver::hllc, RiemannSolver::two_shock),
                         [](auto const& solver) { return solver.index == 0 ? "Hllc" : "TwoShock"; });

}  // namespace

// A point explosion against Sedov's similarity solution.
namespace {

constexpr Index blast_cells = 48;

/// Where the mean density over directions falls, outside its peak, to halfway between the peak and the surroundings.
double outer_half_height(State const& state) {
    auto const h = state.where().grid().spacing;
    std::vector<double> sums(static_cast<std::size_t>(blast_cells));
    std::vector<double> counts(sums.size());
    for_distances(state, 1, [&](double r, std::size_t cell) {
        auto const bin = static_cast<std::size_t>(r / h);
        sums[bin] += state[Variable::density][cell];
        ++counts[bin];
    });
    std::vector<double> profile;
    for (std::size_t i = 0; i < static_cast<std::size_t>(blast_cells) / 2; ++i) {
        profile.push_back(sums[i] / counts[i]);
    }
    auto const peak = std::max_element(profile.begin(), profile.end());
    auto const half = 0.5 * (1 + *peak);
    auto const outside = std::find_if(peak, profile.end(), [&](double rho) { return rho < half; });
    auto const bins =
        static_cast<double>(outside - profile.begin()) + 0.5 - (half - *outside) / (outside[-1] - *outside);
    return bins * h;
}

TEST(SedovBlast, HasItsRadiusAndItsShell) {
    State initial(Decomposition({}, {{blast_cells, blast_cells, blast_cells}, 1.0 / blast_cells}));
    fill_sedov_blast(initial, gamma_air);
    auto const before = totals_of(initial, gamma_air);
    EXPECT_NEAR(before.gas_energy, 1, 1e-4);  // the blast's, and a little that the surroundings hold
    Simulation run(std::move(initial), {.gas = {.gamma = gamma_air, .cfl = 0.6}, .gravity = 0, .stop = {}});
    while (run.state().time < 0.05) {
        run.step(0.05);
    }
    auto const radius = outer_half_height(run.state());
    auto const density = run.state()[Variable::density];
    auto const peak = *std::max_element(density.begin(), density.end());
    auto const after = totals_of(run.state(), gamma_air);
    RecordProperty("radius_error_cells", std::to_string((radius - 0.3116) * blast_cells));
    RecordProperty("peak", std::to_string(peak));
    RecordProperty("steps", std::to_string(run.state().step));
    EXPECT_NEAR(radius, 0.3116, 1.5 / blast_cells);
    EXPECT_GT(peak, 2.5);
    EXPECT_NEAR(after.gas_energy, before.gas_energy, 1e-10 * before.gas_energy);
    expect_conserved(before, after);
}

}  // namespace

// A cold sphere that falls in on itself, against the equation of motion of its surface.
namespace {

constexpr Index sphere_cells = 32;
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
    State initial(Decomposition({}, {{sphere_cells, sphere_cells, sphere_cells}, 1.0 / sphere_cells}));
    fill_cold_sphere(initial);
    // 44 steps at this cfl; 0.4 takes 23, and the last radius is then 2.1 % off.
    Physics const physics{.gas = {.gamma = 5.0 / 3, .cfl = 0.2}, .gravity = 1, .stop = {1e-8, 30}};
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
    expect_conserved(before, after);
}

TEST(ColdSphere, OfTheEquationOfMotion) {
    EXPECT_NEAR(exact_radius(0.3 * free_fall, 0.0748), 0.9476, 2e-4);
    EXPECT_NEAR(exact_radius(0.85 * free_fall, 0.0748), 0.4903, 5e-4);
}

}  // namespace

}  // namespace weir::cloud
