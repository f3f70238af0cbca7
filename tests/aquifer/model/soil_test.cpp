#include "apps/aquifer/model/soil.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/failures/error_of.hpp"

namespace weir::aquifer {
namespace {

constexpr Soil coarse{.retention = Retention::van_genuchten, .residual = 0.05, .porosity = 0.4, .alpha = 3.5, .n = 2.7};
constexpr Soil fine{.retention = Retention::van_genuchten, .residual = 0.1, .porosity = 0.5, .alpha = 0.8, .n = 1.2};
constexpr Soil decaying{.retention = Retention::exponential, .alpha = 2, .specific_storage = 1e-3};

TEST(Soil, HoldsItsPorosityWhereSaturated) {
    for (auto const& soil : {coarse, fine}) {
        EXPECT_EQ(soil.water(0).value, soil.porosity);
        EXPECT_EQ(soil.water(7).value, soil.porosity);
        EXPECT_EQ(soil.saturation(7), 1);
        EXPECT_EQ(soil.conductivity(0).value, 1);
        EXPECT_NEAR(soil.water(-1e30).value, soil.residual, 1e-4);
    }
    EXPECT_EQ(decaying.water(7).value, decaying.porosity + 7e-3) << "with elastic storage";
}

TEST(Soil, IsVanGenuchtensAndMualems) {
    // Written out as in the papers, with powers of s.
    for (auto const head : {-0.01, -0.3, -2.0, -40.0}) {
        for (auto const& soil : {coarse, fine}) {
            auto const m = 1 - 1 / soil.n;
            auto const s = std::pow(1 + std::pow(soil.alpha * -head, soil.n), -m);
            auto const k = std::sqrt(s) * std::pow(1 - std::pow(1 - std::pow(s, 1 / m), m), 2);
            EXPECT_NEAR(soil.water(head).value, soil.residual + s * (soil.porosity - soil.residual), 1e-14);
            EXPECT_NEAR(soil.conductivity(head).value, k, 1e-10);
        }
    }
    EXPECT_NEAR(decaying.conductivity(-1.5).value, std::exp(-3), 1e-15);
}

TEST(Soil, SlopesAreThoseOfDifferences) {
    for (auto const& soil : {coarse, fine, decaying}) {
        for (auto const head : {-0.02, -0.3, -2.0, -40.0, 3.0}) {
            auto const h = 1e-6 * std::abs(head);
            auto const difference = [&](auto of) { return (of(head + h).value - of(head - h).value) / (2 * h); };
            auto const water = difference([&](double at) { return soil.water(at); });
            auto const k = difference([&](double at) { return soil.conductivity(at); });
            EXPECT_NEAR(soil.water(head).per_head, water, 1e-6 * (std::abs(water) + 1e-3));
            EXPECT_NEAR(soil.conductivity(head).per_head, k, 1e-6 * (std::abs(k) + 1e-3));
        }
    }
}

TEST(Soil, OthersAreRefused) {
    auto const problem_of = [](Soil const& soil) {
        return testing::error_of([&] { validate_soil(soil); }).diagnosis().problem;
    };
    EXPECT_NO_THROW(validate_soil(coarse));
    EXPECT_EQ(problem_of({.residual = 0.5, .porosity = 0.4}), "a soil cannot hold between 0.5 and 0.4 of water");
    EXPECT_EQ(problem_of({.alpha = 0}), "alpha = 0 1/m is no soil's");
    EXPECT_EQ(problem_of({.n = 1}), "n = 1 is no soil's");
    EXPECT_EQ(problem_of({.specific_storage = -1}), "a specific storage of -1 1/m is no soil's");
    EXPECT_EQ(problem_of({.alpha = std::nan("")}), "alpha = nan 1/m is no soil's");
}

}  // namespace
}  // namespace weir::aquifer
