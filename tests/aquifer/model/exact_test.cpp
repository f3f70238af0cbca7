#include "apps/aquifer/model/exact.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>

#include "support/failures/error_of.hpp"

namespace weir::aquifer {
namespace {

/// Simpson's rule.
double integral(double from, double to, std::function<double(double)> const& f) {
    constexpr int parts = 4000;
    auto const h = (to - from) / parts;
    double sum = f(from) + f(to);
    for (int i = 1; i < parts; ++i) {
        sum += (i % 2 == 1 ? 4 : 2) * f(from + i * h);
    }
    return sum * h / 3;
}

/// E1(u), the integral of exp(-s) / s from u on, with s = exp(y).
double exponential_integral(double u) {
    return integral(std::log(u), std::log(u + 60), [](double y) { return std::exp(-std::exp(y)); });
}

constexpr double pi = std::numbers::pi;

TEST(ExactAquifer, DrawdownIsTheis) {
    Pumping const well{.rate = 1e-3, .transmissivity = 8e-4, .storage = 1e-4};
    for (auto const distance : {2.0, 30.0, 500.0}) {
        for (auto const time : {600.0, 86400.0, 3e6}) {
            auto const u = distance * distance * well.storage / (4 * well.transmissivity * time);
            auto const expected = well.rate / (4 * pi * well.transmissivity) * exponential_integral(u);
            EXPECT_NEAR(drawdown(well, distance, time) / expected, 1, 1e-9) << distance << ' ' << time;
        }
    }
    EXPECT_EQ(drawdown(well, 10, 0), 0);
    EXPECT_EQ(drawdown(well, 1e5, 1), 0) << "too far away for a number";
}

TEST(ExactAquifer, DrawdownFallsAsItsSlopeSays) {
    Pumping const well{.rate = 1e-3, .transmissivity = 8e-4, .storage = 1e-2};
    for (auto const distance : {2.0, 30.0, 500.0}) {
        auto const h = 1e-4 * distance;
        auto const difference = (drawdown(well, distance + h, 1e6) - drawdown(well, distance - h, 1e6)) / (2 * h);
        EXPECT_NEAR(drawdown_per_metre(well, distance, 1e6) / difference, 1, 1e-6);
        EXPECT_LT(difference, 0);
    }
}

TEST(ExactAquifer, ScaledErfcIsSmoothAndRight) {
    EXPECT_EQ(scaled_erfc(0), 1);
    for (auto const x : {0.5, 3.0, 12.0, 25.9, 26.1, 40.0, 300.0}) {
        // exp(x^2) erfc(x) = 2 / sqrt(pi) * integral of exp(-2 x s - s^2) from 0 on
        auto const end = std::min(8.0, 20 / x);
        auto const expected =
            2 / std::sqrt(pi) * integral(0, end, [&](double s) { return std::exp(-2 * x * s - s * s); });
        EXPECT_NEAR(scaled_erfc(x) / expected, 1, 1e-10) << x;  // as exact as the integral
    }
    EXPECT_NEAR(scaled_erfc(1e200) * 1e200 * std::sqrt(pi), 1, 1e-15);
}

/// How long water takes to come to this distance for the first time: the density of Levy's distribution with drift.
double arrival(Front const& front, double distance, double age) {
    if (age <= 0) {
        return 0;
    }
    auto const away = distance - front.velocity * age;
    return distance / std::sqrt(4 * pi * front.dispersion * age * age * age) *
           std::exp(-away * away / (4 * front.dispersion * age));
}

TEST(ExactAquifer, ConcentrationIsThatOfTheWatersAges) {
    for (auto const decay : {0.0, 0.7, 12.0}) {
        for (auto const velocity : {0.0, 0.3, 2.0}) {
            Front const front{.velocity = velocity, .dispersion = 0.05, .decay = decay};
            for (auto const x : {0.05, 0.4, 1.7}) {
                auto const expected =
                    integral(0, 0.8, [&](double age) { return arrival(front, x, age) * std::exp(-decay * age); });
                EXPECT_NEAR(concentration(front, x, 0.8), expected, 1e-8) << decay << ' ' << velocity << ' ' << x;
            }
        }
    }
}

TEST(ExactAquifer, ConcentrationIsFiniteWhereFactorsOverflow) {
    Front const front{.velocity = 1, .dispersion = 1e-6};
    EXPECT_EQ(concentration(front, 0.1, 0.5), 1);
    EXPECT_NEAR(concentration(front, 0.5, 0.5), 0.5, 1e-3) << "in the front's middle";
    EXPECT_EQ(concentration(front, 0.9, 0.5), 0);
    EXPECT_EQ(concentration(front, 0.9, 0), 0);
}

/// What is left of the first of three species, and has become of it, after this time (Runge and Kutta).
std::array<double, 3> decayed(std::array<double, 3> const& rate, double time) {
    std::array<double, 3> c{1, 0, 0};
    auto const change = [&](std::array<double, 3> const& at) {
        return std::array<double, 3>{-rate[0] * at[0], rate[0] * at[0] - rate[1] * at[1],
                                     rate[1] * at[1] - rate[2] * at[2]};
    };
    auto const moved = [](std::array<double, 3> at, std::array<double, 3> const& by, double h) {
        for (std::size_t i = 0; i < at.size(); ++i) {
            at[i] += h * by[i];
        }
        return at;
    };
    constexpr int steps = 20;
    auto const h = time / steps;
    for (int step = 0; step < steps; ++step) {
        auto const k1 = change(c);
        auto const k2 = change(moved(c, k1, h / 2));
        auto const k3 = change(moved(c, k2, h / 2));
        auto const k4 = change(moved(c, k3, h));
        c = moved(moved(moved(moved(c, k1, h / 6), k2, h / 3), k3, h / 3), k4, h / 6);
    }
    return c;
}

TEST(ExactAquifer, AChainIsThatOfTheWatersAges) {
    std::array<double, 3> const rate{1.5, 0.4, 0};
    std::vector<Species> chain(3);
    for (std::size_t i = 0; i < 3; ++i) {
        chain[i].decay = rate[i];
    }
    auto const weights = chain_weights(chain);
    for (auto const x : {0.1, 0.6}) {
        for (std::size_t i = 0; i < 3; ++i) {
            double sum = 0;
            for (std::size_t j = 0; j <= i; ++j) {
                sum += weights[i][j] * concentration({.velocity = 1, .dispersion = 0.05, .decay = rate[j]}, x, 0.8);
            }
            auto const expected = integral(0, 0.8, [&](double age) {
                return arrival({.velocity = 1, .dispersion = 0.05}, x, age) * decayed(rate, age)[i];
            });
            EXPECT_NEAR(sum, expected, 1e-6) << x << ' ' << i;
        }
    }
}

TEST(ExactAquifer, ChainsWithoutAFormulaAreRefused) {
    auto const words_of = [](Species const& a, Species const& b) {
        return std::string(testing::error_of([&] { chain_weights(std::vector{a, b}); }).what());
    };
    Species const parent{.name = "a", .decay = 1};
    EXPECT_EQ(words_of(parent, {.name = "b", .decay = 1}),
              "there is no formula for 'a' and 'b' (both decay at 1 1/s). Give them different rates.");
    EXPECT_THROW(chain_weights(std::vector<Species>{parent, {.name = "b", .retardation = 2}}), Error);
    EXPECT_THROW(chain_weights(std::vector<Species>{parent, {.name = "b", .dispersivity = 2}}), Error);
}

}  // namespace
}  // namespace weir::aquifer
