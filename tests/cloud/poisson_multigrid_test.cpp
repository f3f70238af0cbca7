// The Poisson solver against waves, whose potential is known also on the grid itself.

#include "apps/cloud/poisson_multigrid.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "cloud/numbers.hpp"
#include "core/error.hpp"
#include "core/random.hpp"

namespace weir::cloud {
namespace {

/// One wave of the grid, with mode numbers (1, 2, 1).
Doubles wave(Triple const& n) {
    Doubles values;
    each_cell(n, [&](Index i, Index j, Index k) {
        auto const phase = static_cast<double>(i) / static_cast<double>(n[0]) +
                           2 * static_cast<double>(j) / static_cast<double>(n[1]) +
                           static_cast<double>(k) / static_cast<double>(n[2]);
        values.push_back(std::sin(2 * std::numbers::pi * phase));
    });
    return values;
}

/// What the seven-point stencil makes of it: a factor. LeVeque: Finite difference methods (2007), section 3.2.
double eigenvalue(Triple const& n, double h) {
    auto const part = [&](double mode, Index cells) {
        return -4 / (h * h) * std::pow(std::sin(std::numbers::pi * mode / static_cast<double>(cells)), 2);
    };
    return part(1, n[0]) + part(2, n[1]) + part(1, n[2]);
}

Doubles noise(Triple const& n) {
    Doubles values;
    for (Index i = 0; i < volume(n); ++i) {
        values.push_back(static_cast<double>(mix(static_cast<std::uint64_t>(i)) >> 11U) * 0x1p-53);
    }
    return values;
}

class PoissonOf : public ::testing::TestWithParam<Triple> {};

TEST_P(PoissonOf, AWaveIsTheWaveOverItsEigenvalue) {
    auto const n = GetParam();
    auto const source = plus(wave(n), 7);  // a mean, that no potential balances
    Doubles phi(source.size());
    Multigrid solver(Decomposition({}, {n, 0.125}));
    auto const solution = solver.solve(phi, source, {1e-12, 30});
    EXPECT_TRUE(solution.converged) << solution.residual;
    auto const expected = wave(n);
    auto const factor = 1 / eigenvalue(n, 0.125);
    for (std::size_t i = 0; i < phi.size(); ++i) {
        ASSERT_NEAR(phi[i], factor * expected[i], 1e-10 * std::abs(factor)) << i;
    }
}

INSTANTIATE_TEST_SUITE_P(Grids, PoissonOf,
                         ::testing::Values(Triple{32, 32, 32}, Triple{48, 16, 24}, Triple{20, 36, 28},
                                           Triple{64, 8, 8}));

TEST(Multigrid, GainsAFactorOfEightAndMoreACycle) {
    Triple const n{64, 64, 64};
    auto const source = noise(n);
    Doubles phi(source.size());
    Multigrid solver(Decomposition({}, {n, 1.0}));
    double before = solver.solve(phi, source, {1e-300, 2}).residual;
    for (int cycles = 3; cycles <= 8; ++cycles) {
        auto const after = solver.solve(phi, source, {1e-300, 1}).residual;
        RecordProperty("factor_" + std::to_string(cycles), std::to_string(after / before));
        EXPECT_LE(after / before, 0.12) << "in cycle " << cycles;
        before = after;
    }
}

TEST(Multigrid, ReachesRoundingAndDoesNotStall) {
    Triple const n{32, 32, 32};
    auto source = noise(n);
    for (auto& x : source) {
        x = 1 + 1e-8 * x;  // so that the rounding of its mean is much of what varies
    }
    Doubles phi(source.size());
    Multigrid solver(Decomposition({}, {n, 1.0}));
    auto const solution = solver.solve(phi, source, {1e-10, 20});
    EXPECT_TRUE(solution.converged) << solution.residual;
}

TEST(Multigrid, SaysWhenTheCyclesWereNotEnough) {
    auto const source = noise({16, 16, 16});
    Doubles phi(source.size());
    Multigrid solver(Decomposition({}, {{16, 16, 16}, 1.0}));
    auto const solution = solver.solve(phi, source, {1e-12, 2});
    EXPECT_FALSE(solution.converged);
    EXPECT_EQ(solution.cycles, 2);
}

TEST(Multigrid, SolvesAnEvenSourceAtOnce) {
    Doubles const source(512, 3.0);
    Doubles phi(512, 1.0);
    Multigrid solver(Decomposition({}, {{8, 8, 8}, 1.0}));
    EXPECT_TRUE(solver.solve(phi, source, {1e-6, 20}).converged);
}

TEST(Multigrid, RefusesBlocksWithOddNumbersOfCells) {
    EXPECT_THROW(Multigrid(Decomposition({}, {{8, 5, 8}, 1.0})), Error);
}

}  // namespace
}  // namespace weir::cloud
