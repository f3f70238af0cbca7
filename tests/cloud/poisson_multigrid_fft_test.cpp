// The Poisson solver against the exact solution of the same equations, by Fourier transforms.

#include <gtest/gtest.h>

#ifdef WEIR_FFTW

#include <fftw3.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <memory>
#include <numbers>
#include <vector>

#include "apps/cloud/poisson_multigrid.hpp"
#include "apps/cloud/problem.hpp"
#include "cloud/numbers.hpp"

namespace weir::cloud {
namespace {

/// What the seven-point stencil makes of the wave with these mode numbers: a factor. LeVeque: Finite difference methods
/// (2007), section 3.2.
double eigenvalue(Grid const& grid, Triple const& modes) {
    double sum = 0;
    for (std::size_t a = 0; a < axes; ++a) {
        auto const k = 2 * std::numbers::pi * static_cast<double>(modes[a]) / static_cast<double>(grid.cells[a]);
        sum += 2 * (std::cos(k) - 1);
    }
    return sum / (grid.spacing * grid.spacing);
}

using Plan = std::unique_ptr<fftw_plan_s, decltype(&fftw_destroy_plan)>;

/// The potential with mean 0 of a source: each of its waves over its eigenvalue.
Doubles solved_by_transforms(Grid const& grid, Doubles values) {
    auto const& n = grid.cells;
    auto const half = n[0] / 2 + 1;
    std::vector<std::complex<double>> waves(static_cast<std::size_t>(half * n[1] * n[2]));
    std::array<int, axes> const size{static_cast<int>(n[2]), static_cast<int>(n[1]), static_cast<int>(n[0])};
    auto* const modes = reinterpret_cast<fftw_complex*>(waves.data());
    Plan const there(fftw_plan_dft_r2c(axes, size.data(), values.data(), modes, FFTW_ESTIMATE), fftw_destroy_plan);
    Plan const back(fftw_plan_dft_c2r(axes, size.data(), modes, values.data(), FFTW_ESTIMATE), fftw_destroy_plan);
    fftw_execute(there.get());
    auto* wave = waves.data();
    each_cell({half, n[1], n[2]}, [&](Index i, Index j, Index k) {
        auto const factor = i + j + k == 0 ? 0 : 1 / eigenvalue(grid, {i, j, k});
        *wave++ *= factor / static_cast<double>(volume(n));
    });
    fftw_execute(back.get());
    return values;
}

double rms(Doubles const& values) {
    return std::sqrt(std::inner_product(values.begin(), values.end(), values.begin(), 0.0) /
                     static_cast<double>(values.size()));
}

/// The density of a cloud, with rough noise on top: waves of all lengths.
Doubles density(Grid const& grid) {
    State state(Decomposition({}, grid));
    fill_random_cloud(state, {});
    Doubles source(state[Variable::density].begin(), state[Variable::density].end());
    for (std::size_t i = 0; i < source.size(); ++i) {
        source[i] += 0.1 * rough(i);
    }
    return source;
}

class FourierSolutionOf : public ::testing::TestWithParam<Triple> {};

/// A residual r of an equation is an error of |r| over the least eigenvalue at most.
TEST_P(FourierSolutionOf, IsThePotentialToTheResidual) {
    Grid const grid{GetParam(), 0.125};
    auto const source = density(grid);
    auto const exact = solved_by_transforms(grid, source);
    auto const contrast = plus(source, -mean_of(source));
    auto const longest = *std::max_element(grid.cells.begin(), grid.cells.end());
    auto const least = std::abs(eigenvalue({{longest, longest, longest}, grid.spacing}, {1, 0, 0}));
    Multigrid solver(Decomposition({}, grid));
    for (auto const residual : {1e-3, 1e-6, 1e-10}) {
        Doubles phi(source.size());
        auto const solution = solver.solve(phi, source, {residual, 30});
        ASSERT_TRUE(solution.converged) << solution.residual;
        for (std::size_t i = 0; i < phi.size(); ++i) {
            phi[i] -= exact[i];
        }
        constexpr double rounding = 1e-13;
        EXPECT_LE(rms(phi), solution.residual * rms(contrast) / least + rounding * rms(exact));
    }
}

INSTANTIATE_TEST_SUITE_P(Grids, FourierSolutionOf,
                         ::testing::Values(Triple{32, 32, 32}, Triple{48, 16, 24}, Triple{20, 36, 28}));

}  // namespace
}  // namespace weir::cloud

#else

TEST(FourierSolution, IsThePotentialToTheResidual) {
    GTEST_SKIP() << "FFTW was not found when this was built (Debian: libfftw3-dev)";
}

#endif
