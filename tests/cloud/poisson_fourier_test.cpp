#include "apps/cloud/poisson_fourier.hpp"

#include <gtest/gtest.h>

#include "cloud/numbers.hpp"

namespace weir::cloud {
namespace {

constexpr double h = 0.125;

/// A source whose second differences are easy: any numbers, and what the stencil makes of them.
Doubles any_numbers(Triple const& n) {
    Doubles values;
    for (std::size_t i = 0; i < static_cast<std::size_t>(volume(n)); ++i) {
        values.push_back(rough(i));
    }
    return plus(values, -mean_of(values));
}

Doubles stencil_of(Triple const& n, Doubles const& phi) {
    Doubles values;
    each_cell(n, [&](Index i, Index j, Index k) {
        auto const at = [&](Index x, Index y, Index z) {
            x = (x + n[0]) % n[0];
            y = (y + n[1]) % n[1];
            z = (z + n[2]) % n[2];
            return phi[static_cast<std::size_t>(x + n[0] * (y + n[1] * z))];
        };
        values.push_back((at(i - 1, j, k) + at(i + 1, j, k) + at(i, j - 1, k) + at(i, j + 1, k) + at(i, j, k - 1) +
                          at(i, j, k + 1) - 6 * at(i, j, k)) /
                         (h * h));
    });
    return values;
}

class SolvedAtOnce : public ::testing::TestWithParam<Triple> {};

TEST_P(SolvedAtOnce, IsWhatTheStencilWasTakenOf) {
    auto const n = GetParam();
    auto const expected = any_numbers(n);
    auto const source = plus(stencil_of(n, expected), 7);  // a mean, that no potential balances
    Doubles phi(source.size(), 3.0);
    auto const solution = FourierSolver({n, h}).solve(phi, source, {1e-12, 20});
    EXPECT_TRUE(solution.converged) << solution.residual;
    EXPECT_EQ(solution.cycles, 1);
    for (std::size_t i = 0; i < phi.size(); ++i) {
        ASSERT_NEAR(phi[i], expected[i], 1e-12) << i;
    }
}

INSTANTIATE_TEST_SUITE_P(Grids, SolvedAtOnce,
                         ::testing::Values(Triple{45, 9, 9}, Triple{7, 11, 13}, Triple{15, 10, 5}, Triple{1, 17, 2}));

TEST(FourierSolver, SolvesAnEvenSourceAtOnce) {
    Doubles const source(125, 3.0);
    Doubles phi(125, 1.0);
    EXPECT_TRUE(FourierSolver({{5, 5, 5}, 1.0}).solve(phi, source, {1e-6, 20}).converged);
    EXPECT_EQ(phi, Doubles(125, 0.0));
}

TEST(FourierSolver, SaysWhenItsResidualIsNotWhatWasAskedFor) {
    auto const source = any_numbers({5, 7, 9});
    Doubles phi(source.size());
    auto const solution = FourierSolver({{5, 7, 9}, 1.0}).solve(phi, source, {1e-30, 20});
    EXPECT_FALSE(solution.converged);
    EXPECT_GT(solution.residual, 0);
    EXPECT_LT(solution.residual, 1e-13);
}

}  // namespace
}  // namespace weir::cloud
