#include "apps/cmb/model/sky.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <numbers>

#include "apps/cmb/model/likelihood.hpp"
#include "support/failures/error_of.hpp"

namespace weir::cmb {
namespace {

TEST(CmbSky, DirectionsAreThoseOfTheCLibrarysGenerator) {
    srand48(0);
    for (auto const& direction : random_directions(100)) {
        auto const ascension = 2 * std::numbers::pi * drand48();
        auto const declination = std::numbers::pi * (drand48() - 0.5);
        EXPECT_NEAR(std::atan2(direction[1], direction[0]), std::remainder(ascension, 2 * std::numbers::pi), 1e-12);
        EXPECT_NEAR(std::asin(direction[2]), declination, 1e-7);
    }
}

TEST(CmbSky, DerivativesAreLegendreSums) {
    Shape const shape{.ranks = 4, .pixels = 23, .block = 3};
    auto const directions = random_directions(shape.pixels);
    for (std::uint64_t rank = 0; rank < 4; ++rank) {
        MatrixPart const part(shape, Among::all, Rank{rank});
        SignalDerivatives derivatives(directions, part);
        std::vector<double> found(shape.elements(Among::all, Rank{rank}));
        for (unsigned bin = 0; bin < 3; ++bin) {
            derivatives.next(found);
            part.each([&](std::size_t place, std::uint64_t row, std::uint64_t column) {
                double cosine = 0;
                for (std::size_t axis = 0; axis < 3; ++axis) {
                    cosine += directions[row][axis] * directions[column][axis];
                }
                cosine = std::clamp(cosine, -1.0, 1.0);
                double sum = 0;
                for (auto l = 10 * bin + 1; l <= 10 * bin + 10; ++l) {
                    sum += (2 * l + 1) * std::legendre(l, cosine) / (4 * std::numbers::pi);
                }
                EXPECT_NEAR(found[place], sum, 1e-9);
            });
        }
    }
}

/// While a gang multiplies, a rank holds the signal's part, three of its gang's, and what it read of each gang's.
TEST(CmbLikelihood, NeedsMemoryForAPartOfEachGang) {
    std::uint64_t const part = 512 * 512;
    auto const few = 3 * 512 + 8 * 8;
    EXPECT_EQ(Likelihood::memory_bytes({.ranks = 4, .pixels = 512, .bins = 8}), 8 * (4 * part / 4 + few));
    EXPECT_EQ(Likelihood::memory_bytes({.ranks = 4, .pixels = 512, .bins = 8, .gangs = 4}),
              8 * (part / 4 + 3 * part + 4 * (part / 4) + few));
}

TEST(CmbSolve, SolvesWhatIsPositiveDefinite) {
    // A = L L^T, L = [2; 1 3; -1 2 4]
    std::vector<double> const a{4, 2, -2, 2, 10, 5, -2, 5, 21};
    auto const x = solve_definite(a, {4 * 1.0 + 2 * 2 - 2 * 3, 2 * 1.0 + 10 * 2 + 5 * 3, -2 * 1.0 + 5 * 2 + 21 * 3});
    ASSERT_EQ(x.size(), 3U);
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_NEAR(x[i], static_cast<double>(i + 1), 1e-12);
    }
    testing::expect_error(ExitCode::cannot_run, "not positive definite", [] { solve_definite({1, 2, 2, 1}, {1, 1}); });
}

}  // namespace
}  // namespace weir::cmb
