#include "apps/aquifer/flow/transport.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "aquifer/column.hpp"

namespace weir::aquifer {
namespace {

constexpr Soil sand{.porosity = 0.25};

/// A saturated column through which water flows at 1 m/s in its pores.
struct Stream {
    Mesh mesh;
    Richards richards;
    std::vector<double> water;

    explicit Stream(Index n)
        : mesh({}, column(0, n, 1)),
          richards(mesh, flow(), uniform(mesh, 1), std::vector<double>(static_cast<std::size_t>(n), 1)) {
        EXPECT_TRUE(richards.step(1e9).converged);
        water = richards.water();
    }
    static Flow flow() {
        Flow flow{.soils = {sand}};
        flow.sides[0] = {BoxSide::Condition::inflow, 0.25};
        flow.sides[1] = {BoxSide::Condition::pressure, 1};
        return flow;
    }
};

/// Ogata and Banks (1961), with decay as in van Genuchten and Alves (1982), case C1 without production.
double exact(double x, double t, double v, double d, double lambda) {
    auto const u = v * std::sqrt(1 + 4 * lambda * d / (v * v));
    auto const s = 2 * std::sqrt(d * t);
    auto const second = std::erfc((x + u * t) / s);
    return 0.5 * (std::exp((v - u) * x / (2 * d)) * std::erfc((x - u * t) / s) +
                  (second > 0 ? std::exp((v + u) * x / (2 * d)) * second : 0));
}

struct Case {
    double retardation = 1;
    double decay = 0;      ///< 1/s
    double diffusion = 0;  ///< m^2/s
    double dispersivity = 0;
};

double mean_error(Index n, Case const& c, double numerical = 0) {
    constexpr double end = 0.4;
    Stream stream(n);
    Species species{.name = "tracer",
                    .retardation = c.retardation,
                    .decay = c.decay,
                    .diffusion = c.diffusion,
                    .dispersivity = c.dispersivity};
    species.at_sides[0] = 1;
    Transport transport(stream.mesh, {species}, {});
    auto const steps = static_cast<Index>(std::lround(2 * end * static_cast<double>(n)));  // Courant number 0.5
    auto const dt = end / static_cast<double>(steps);
    for (Index step = 0; step < steps; ++step) {
        transport.step({dt, stream.water, stream.water, stream.richards});
        EXPECT_LT(transport.balance(0).error(), 1e-10);
    }
    auto const v = 1 / c.retardation;
    auto const d = (c.diffusion + c.dispersivity) / c.retardation + numerical;
    auto const x = centres(stream.mesh, 0);
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        sum += std::abs(transport.concentrations(0)[i] - exact(x[i], end, v, d, c.decay));
    }
    return sum / static_cast<double>(n);
}

TEST(Transport, IsOgataAndBanks) {
    auto const coarse = mean_error(50, {.diffusion = 0.01});
    auto const fine = mean_error(100, {.diffusion = 0.01});
    EXPECT_LT(fine, 2.5e-2);
    EXPECT_LT(fine, 0.6 * coarse) << "first order";
}

/// Upwind differences and backward Euler spread as much as D = v dx (1 + Courant number) / 2 would, but not across the
/// side: a sharper test, of first order too.
TEST(Transport, ItsErrorIsTheSchemesOwnDispersion) {
    for (auto const& c : {Case{.diffusion = 0.01}, Case{.dispersivity = 0.01}}) {
        auto const error = mean_error(100, c, 0.01 * 1.5 / 2);
        EXPECT_LT(error, 0.25 * mean_error(100, c));
        EXPECT_LT(mean_error(200, c, 0.005 * 1.5 / 2), 0.5 * error);
    }
}

TEST(Transport, SorbedSpeciesAreSlower) {
    Case const c{.retardation = 2, .diffusion = 0.02};
    auto const courant = 0.25;
    EXPECT_LT(mean_error(100, c, 0.005 * (1 + courant) / 2), 3e-3);
    EXPECT_GT(mean_error(100, {.diffusion = 0.01}, 0.005 * (1 + courant) / 2), 5e-3);
}

TEST(Transport, SpeciesDecay) { EXPECT_LT(mean_error(100, {.decay = 3, .diffusion = 0.01}, 0.01 * 1.5 / 2), 5e-3); }

/// Bateman (1910), in water at rest.
TEST(Transport, AChainDecaysAsBatemanSays) {
    Mesh const mesh({}, {{3, 2, 2}, {1, 1, 1}});
    Richards richards(mesh, {.soils = {sand}}, uniform(mesh, 1),
                      values(centres(mesh, 2), [](double z) { return 3 - z; }));
    ASSERT_TRUE(richards.step(1).converged);
    auto const water = richards.water();
    Transport transport(
        mesh, {{.name = "other"}, {.name = "parent", .decay = 1}, {.name = "daughter", .decay = 2}, {.name = "stable"}},
        {});
    transport.set(0, std::vector<double>(12, 7));
    transport.set(1, std::vector<double>(12, 1));
    for (int step = 0; step < 1000; ++step) {
        transport.step({1e-3, water, water, richards});
    }
    auto const a = std::exp(-1);
    auto const b = std::exp(-1) - std::exp(-2);
    for (std::size_t cell = 0; cell < 12; ++cell) {
        EXPECT_NEAR(transport.concentrations(0)[cell], 7, 1e-12);
        EXPECT_NEAR(transport.concentrations(1)[cell], a, 1e-3);
        EXPECT_NEAR(transport.concentrations(2)[cell], b, 1e-3);
        EXPECT_NEAR(transport.concentrations(3)[cell], 1 - a - b, 2e-3);
    }
}

/// Wherever water goes, also where the soil fills and drains, water that is all alike stays so.
TEST(Transport, WhatIsUniformStaysUniform) {
    Mesh const mesh({}, {{4, 3, 8}, {1, 1, 0.25}});
    Flow flow{.soils = {{.alpha = 3, .n = 1.8, .specific_storage = 1e-3}},
              .wells = {{{1, 1, 1}, -1e-6}, {{2, 0, 2}, -2e-6}}};
    flow.sides[0] = {BoxSide::Condition::head, 1};
    flow.sides[5] = {BoxSide::Condition::inflow, 1e-6};
    Richards richards(mesh, flow, uniform(mesh, 1e-5), values(centres(mesh, 2), [](double z) { return 1 - z; }));
    Species species{.name = "salt"};
    species.at_sides.fill(3);
    Transport transport(mesh, {species}, flow.wells);
    transport.set(0, std::vector<double>(mesh.block().count(), 3));
    for (int step = 0; step < 10; ++step) {
        auto const before = richards.water();
        ASSERT_TRUE(richards.step(1800).converged);
        transport.step({1800, before, richards.water(), richards});
        EXPECT_LT(transport.balance(0).error(), 1e-10);
        for (auto const c : transport.concentrations(0)) {
            EXPECT_NEAR(c, 3, 1e-8);
        }
    }
}

}  // namespace
}  // namespace weir::aquifer
