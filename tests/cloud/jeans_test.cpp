// Jeans's dispersion relation: waves that swing under their own gravity, and waves that it lets grow.

#include "apps/cloud/known_problems.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "apps/cloud/simulation.hpp"

namespace weir::cloud {
namespace {

Simulation start(Triple const& cells, JeansWave const& wave) {
    Grid const grid{cells, 1.0 / static_cast<double>(cells[0])};
    State state(Decomposition({}, grid));
    fill_jeans_wave(state, wave);
    return {std::move(state), {.gas = {.gamma = wave.gamma}, .gravity = wave.gravity(grid), .stop = {1e-8, 30}}};
}

/// How much faster than it should the wave swings, from the times at which it passes through zero.
double frequency_error(Triple const& cells, JeansWave const& wave) {
    auto run = start(cells, wave);
    std::array<double, 2> zeros{};
    auto before = amplitude_of(run.state(), wave);
    for (auto& zero : zeros) {
        for (double now = before;; before = now) {
            auto const dt = run.step();
            now = amplitude_of(run.state(), wave);
            if ((now < 0) != (before < 0)) {
                zero = run.state().time - dt * now / (now - before);
                before = now;
                break;
            }
        }
    }
    auto const exact = std::sqrt(wave.frequency_squared(run.state().where().grid()));
    return std::numbers::pi / (zeros[1] - zeros[0]) / exact - 1;
}

/// How much faster than it should the wave grows, over two times in which it grows by e.
double growth_error(Triple const& cells, JeansWave const& wave) {
    auto run = start(cells, wave);
    auto const exact = std::sqrt(-wave.frequency_squared(run.state().where().grid()));
    auto const before = amplitude_of(run.state(), wave);
    while (run.state().time < 2 / exact) {
        run.step(2 / exact);
    }
    return std::log(amplitude_of(run.state(), wave) / before) / 2 - 1;
}

/// With 16, 32 and 64 cells a wavelength.
void expect_second_order(double (*error_of)(Triple const&, JeansWave const&), JeansWave const& wave) {
    std::array const errors{error_of({16, 4, 4}, wave), error_of({32, 4, 4}, wave), error_of({64, 4, 4}, wave)};
    for (std::size_t i = 0; i < errors.size(); ++i) {
        ::testing::Test::RecordProperty("error_" + std::to_string(i), std::to_string(100 * errors[i]) + " %");
    }
    EXPECT_LE(std::abs(errors[1]), 0.006);
    for (std::size_t i = 0; i < 2; ++i) {
        auto const ratio = errors[i] / errors[i + 1];
        EXPECT_GE(ratio, 3) << errors[i] << ", " << errors[i + 1];
        EXPECT_LE(ratio, 5) << errors[i] << ", " << errors[i + 1];
    }
}

JeansWave swinging(Triple const& modes) { return {modes, 0.5, 1e-4, 5.0 / 3}; }
JeansWave growing(Triple const& modes) { return {modes, 1.5, 1e-4, 5.0 / 3}; }

TEST(JeansWave, SwingsAsItShouldAlongAnAxis) { expect_second_order(frequency_error, swinging({1, 0, 0})); }

TEST(JeansWave, GrowsAsItShouldAlongAnAxis) { expect_second_order(growth_error, growing({1, 0, 0})); }

TEST(JeansWave, IsTheSameAlongEveryAxis) {
    auto const along_x = growth_error({16, 4, 4}, growing({1, 0, 0}));
    EXPECT_NEAR(growth_error({16, 16, 4}, growing({0, 1, 0})), along_x, 1e-6);
    EXPECT_NEAR(growth_error({16, 4, 16}, growing({0, 0, 1})), along_x, 1e-6);
}

// 34 cells a wavelength across the diagonal of a square.
TEST(JeansWave, SwingsAndGrowsAsItShouldAcrossTheDiagonal) {
    auto const swing = frequency_error({48, 48, 4}, swinging({1, 1, 0}));
    auto const growth = growth_error({48, 48, 4}, growing({1, 1, 0}));
    RecordProperty("swing", std::to_string(100 * swing) + " %");
    RecordProperty("growth", std::to_string(100 * growth) + " %");
    EXPECT_LE(std::abs(swing), 0.006);
    EXPECT_LE(std::abs(growth), 0.006);
}

}  // namespace
}  // namespace weir::cloud
