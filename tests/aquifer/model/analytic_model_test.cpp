#include "apps/aquifer/model/analytic_model.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "aquifer/small_aquifer.hpp"
#include "support/failures/error_of.hpp"

namespace weir::aquifer {
namespace {

Triple const few{12, 10, 8};

struct Analytic {
    ManualClock* clock = new ManualClock;  // owned by the model
    Scenario scenario;
    Block block;
    AnalyticModel model;

    explicit Analytic(Scenario const& of, Triple const& ranks = {1, 1, 1}, std::uint64_t rank = 0)
        : scenario(of),
          block(block_of(scenario.box, ranks, rank)),
          model(scenario, block, 1e-3, std::unique_ptr<Clock>(clock)) {}

    [[nodiscard]] double head(Index i, Index j, Index k) const { return model.heads()[*block.own({i, j, k})]; }
};

TEST(AnalyticAquifer, BeginsHydrostatic) {
    Analytic const one(small_aquifer(few));
    EXPECT_EQ(one.model.kind(), ModelKind::analytic);
    EXPECT_EQ(one.model.time(), 0);
    for (Index i = 0; i < few[0]; ++i) {
        auto const x = (static_cast<double>(i) + 0.5) / 12;
        EXPECT_NEAR(one.head(i, 3, 2), 6.4 + (4.4 - 6.4) * x - 2.5, 1e-13);
    }
    for (auto const saturation : one.model.saturation()) {
        EXPECT_EQ(saturation, 1);
    }
    for (auto const c : one.model.concentrations(0)) {
        EXPECT_EQ(c, 0);
    }
}

TEST(AnalyticAquifer, ItsWellDrawsDown) {
    Analytic one(small_aquifer(few));
    auto const before = one.head(3, 7, 1);
    one.model.advance(86400);
    auto const& scenario = one.scenario;
    double pumped = 0;
    for (auto const& well : scenario.flow.wells) {
        pumped -= well.rate;
    }
    // The well is in column 8, 5: at (85, 55) m; the cell at (35, 75) m.
    auto const transmissivity = 8 * scenario.conductivity;
    auto const storage = 8 * scenario.flow.soils[0].specific_storage;
    auto const u = (50.0 * 50 + 20 * 20) * storage / (4 * transmissivity * 86400);
    auto const few_terms = -0.57721566490153286 - std::log(u) + u - u * u / 4;  // of E1, for small u
    EXPECT_NEAR(before - one.head(3, 7, 1), pumped / (4 * M_PI * transmissivity) * few_terms, 1e-9);
    EXPECT_TRUE(std::isfinite(one.head(8, 5, 1))) << "at the well itself";
}

TEST(AnalyticAquifer, ItsWaterFollowsItsHeads) {
    Analytic one(small_aquifer({60, 50, 2}));
    one.model.advance(86400);
    for (auto const& [i, j] : {std::pair<Index, Index>{10, 10}, {50, 40}, {30, 5}, {45, 25}}) {
        auto const own = *one.block.own({i, j, 1});
        auto const k = one.scenario.conductivity;
        auto const along_x = -k * (one.head(i + 1, j, 1) - one.head(i - 1, j, 1)) / 20;
        auto const along_y = -k * (one.head(i, j + 1, 1) - one.head(i, j - 1, 1)) / 20;
        EXPECT_NEAR(one.model.velocity(0)[own] / along_x, 1, 0.05);
        EXPECT_NEAR(one.model.velocity(1)[own], along_y, 0.05 * std::abs(along_y) + 1e-12);
        EXPECT_EQ(one.model.velocity(2)[own], 0);
    }
}

TEST(AnalyticAquifer, ItsTracerEntersFromTheWest) {
    Analytic one(small_aquifer(few, 3));
    for (int day = 0; day < 30; ++day) {
        one.model.advance(86400);
    }
    auto const& scenario = one.scenario;
    auto const q = scenario.conductivity * 2 / 120;
    auto const& tracer = scenario.species[0];
    auto const v = q / 0.3 / tracer.retardation;
    auto const d = (1e-9 + 2 * q / 0.3) / tracer.retardation;
    auto const t = 30 * 86400.0;
    for (Index i = 0; i < few[0]; ++i) {
        auto const x = 10 * (static_cast<double>(i) + 0.5);
        // Without decay, the chain adds up to what has entered, as in the facts' plain formula.
        double sum = 0;
        for (std::size_t species = 0; species < 3; ++species) {
            sum += one.model.concentrations(species)[*one.block.own({i, 4, 3})];
        }
        auto const s = 2 * std::sqrt(d * t);
        EXPECT_NEAR(sum, 0.5 * (std::erfc((x - v * t) / s) + std::exp(v * x / d) * std::erfc((x + v * t) / s)), 1e-9);
    }
    EXPECT_GT(one.model.concentrations(1)[0], 0);
    EXPECT_GT(one.model.concentrations(2)[0], 0);
}

TEST(AnalyticAquifer, EachRankHasItsPartOfTheSame) {
    auto const scenario = small_aquifer(few, 2);
    Analytic whole(scenario);
    whole.model.advance(1e6);
    Triple const ranks{3, 2, 2};
    for (std::uint64_t rank = 0; rank < 12; ++rank) {
        Analytic part(scenario, ranks, rank);
        part.model.advance(1e6);
        part.block.each_cell([&](std::size_t own, std::size_t) {
            auto const& n = part.block.cells;
            auto const at = static_cast<Index>(own);
            auto const there =
                *whole.block.own({part.block.start[0] + at % n[0], part.block.start[1] + at / n[0] % n[1],
                                  part.block.start[2] + at / n[0] / n[1]});
            EXPECT_EQ(part.model.heads()[own], whole.model.heads()[there]);
            EXPECT_EQ(part.model.velocity(1)[own], whole.model.velocity(1)[there]);
            EXPECT_EQ(part.model.concentrations(1)[own], whole.model.concentrations(1)[there]);
        });
    }
}

TEST(AnalyticAquifer, IsBusyForItsCells) {
    Analytic one(small_aquifer(few));
    one.model.advance(86400);
    one.model.advance(86400);
    EXPECT_NEAR(one.clock->now_s(), 2 * 1e-3 * 960, 1e-9);
    EXPECT_EQ(one.model.figures().steps, 2);
    EXPECT_EQ(one.model.time(), 2 * 86400);
    EXPECT_FALSE(one.model.figures().worst_water_error) << "which nobody knows";
}

TEST(AnalyticAquifer, HeadsMayFallTowardsTheWest) {
    auto scenario = small_aquifer(few);
    std::swap(scenario.west, scenario.east);
    Analytic one(scenario);
    one.model.advance(3e6);
    EXPECT_GT(one.model.concentrations(0)[11], one.model.concentrations(0)[0]);
    EXPECT_LT(one.model.velocity(0)[0], 0);
}

TEST(AnalyticAquifer, SpeciesWithoutAFormulaAreRefused) {
    auto scenario = small_aquifer(few, 2);
    scenario.species[1].retardation = 3;
    EXPECT_THROW(Analytic{scenario}, Error);
    scenario.species[1].retardation = scenario.species[0].retardation;
    EXPECT_NO_THROW(Analytic{scenario});
    scenario.species[0].diffusion = scenario.species[0].dispersivity = 0;
    EXPECT_THROW(Analytic{scenario}, Error);
}

}  // namespace
}  // namespace weir::aquifer
