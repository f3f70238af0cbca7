// Sod's shock tube against its exact solution.

#include "apps/cloud/sod.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "apps/cloud/hydrodynamics.hpp"

namespace weir::cloud {
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
    Gas gas;
    gas.gamma = gamma_air;
    gas.cfl = 0.6;
    gas.riemann = riemann;
    Hydrodynamics hydro(state.where(), gas);
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

class SodTube : public testing::TestWithParam<RiemannSolver> {};

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

INSTANTIATE_TEST_SUITE_P(Solvers, SodTube, testing::Values(RiemannSolver::hllc, RiemannSolver::two_shock),
                         [](auto const& solver) { return solver.index == 0 ? "Hllc" : "TwoShock"; });

}  // namespace
}  // namespace weir::cloud
