#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "apps/flash/gas/simulation.hpp"
#include "apps/flash/gas_on_blocks.hpp"
#include "core/error.hpp"
#include "support/failures/error_of.hpp"

namespace weir::flash {
namespace {

SimulationSettings with_levels(int levels) {
    SimulationSettings settings;
    settings.levels = levels;
    return settings;
}

double finest(BlockSimulation const& run) {
    return 1.0 / static_cast<double>(run.settings().n << (run.settings().levels - 1));
}

double densest(BlockSimulation const& run) {
    double most = 0;
    for (auto const b : run.blocks().leaves()) {
        most = std::max(most, *std::ranges::max_element(run.interior(b, density)));
    }
    return most;
}

std::size_t leaves_of(Tree const& tree) {
    std::size_t count = 0;
    for (std::size_t b = 0; b < tree.size(); ++b) {
        count += tree.is_leaf(b) ? 1 : 0;
    }
    return count;
}

/// Runs until a time; the numbers of blocks on the way.
std::set<std::size_t> run_until(BlockSimulation& run, double end) {
    std::set<std::size_t> sizes{run.tree().size()};
    while (run.time() < end) {
        run.advance(end);
        sizes.insert(run.tree().size());
    }
    return sizes;
}

void expect_kept(LeafTotals const& before, LeafTotals const& after) {
    EXPECT_NEAR(after.mass, before.mass, 1e-12 * before.mass);
    EXPECT_NEAR(after.energy, before.energy, 1e-10 * before.energy);
}

TEST(Sedov, BeginsWithItsEnergyOnTheFinestLevel) {
    auto const settings = with_levels(4);
    auto const run = BlockSimulation::start({}, settings);
    EXPECT_NEAR(run.totals().energy, 1 + 1e-5 / 0.4, 1e-6);
    EXPECT_NEAR(run.totals().mass, 1, 1e-14);
    EXPECT_EQ(run.tree().levels(), 4);
    // What the analytic profile gave, fed to the estimator: 120 leaves in 137 blocks.
    EXPECT_EQ(run.tree().size(), 137U);
    EXPECT_EQ(leaves_of(run.tree()), 120U);
}

std::optional<double> exact_radius(BlockSimulation const& run) {
    auto const& s = run.settings();
    return exact_radius(s.blast, domain_of(s), s.blast.radius_cells * finest(run), s.gas.gamma, run.time());
}

class SedovOfGamma : public ::testing::TestWithParam<double> {};

TEST_P(SedovOfGamma, HasItsRadiusAndKeepsMassAndEnergyWhileBlocksChange) {
    auto settings = with_levels(4);
    settings.blast.centre = {0.45, 0.52, 0.5};
    settings.gas.gamma = GetParam();
    auto run = BlockSimulation::start({}, settings);
    auto const before = run.totals();
    EXPECT_FALSE(exact_radius(run)) << "it has not begun";
    auto const sizes = run_until(run, 0.008);
    EXPECT_GE(sizes.size(), 3U);
    expect_kept(before, run.totals());
    auto const exact = exact_radius(run);
    ASSERT_TRUE(exact);
    auto const error = (run.radius() - *exact) / finest(run);
    RecordProperty("radius_error_cells", std::to_string(error));
    RecordProperty("peak", std::to_string(densest(run)));
    RecordProperty("steps", std::to_string(run.step()));
    EXPECT_LE(std::abs(error), 1.5);
    EXPECT_GT(densest(run), 1.9);
}

INSTANTIATE_TEST_SUITE_P(All, SedovOfGamma, ::testing::Values(1.4, 5.0 / 3));

TEST(Sedov, HasNoExactRadiusWhereTheSimilaritySolutionDoesNotHold) {
    Sedov const blast{.centre = {0.4, 0.5, 0.5}};
    Corner const domain{1, 1, 1};
    auto const radius = [&](Sedov const& sedov, double time) { return exact_radius(sedov, domain, 0.05, 1.4, time); };
    auto const front_at = [](double r) { return std::pow(r / 1.03277747, 2.5); };  // the time
    EXPECT_NEAR(*radius(blast, front_at(0.2)), 0.2, 1e-8);
    EXPECT_TRUE(radius(blast, front_at(0.399)));
    EXPECT_FALSE(radius(blast, front_at(0.401))) << "it has met the low boundary";
    EXPECT_FALSE(radius(blast, front_at(0.049))) << "it is in the ball";
    EXPECT_FALSE(radius(blast, 0));
    auto edge = blast;
    edge.centre = {0, 0.5, 0.5};
    EXPECT_FALSE(radius(edge, front_at(0.2))) << "half of it is missing";
    edge.centre = {0.97, 0.5, 0.5};
    EXPECT_FALSE(radius(edge, front_at(0.06))) << "some of it is missing";
    auto hot = blast;
    hot.pressure = 0.1;
    EXPECT_TRUE(radius(hot, front_at(0.1)));
    EXPECT_FALSE(radius(hot, front_at(0.39))) << "it has become weak";
    auto strong = blast;
    strong.energy = 32;
    EXPECT_NEAR(*radius(strong, front_at(0.1)), 0.2, 1e-8);
}

/// A blast at an open edge draws gas in, with energy; one inside drives it out once it has met the boundary.
TEST(Sedov, WhatLeavesTheDomainAndWhatStaysIsWhatThereWas) {
    std::size_t most_sizes = 0;
    for (Corner const& centre : {Corner{0, 0.5, 0.5}, Corner{0.5, 0.45, 0.6}}) {
        auto settings = with_levels(3);
        settings.adapt_every = 2;
        settings.boundaries = {Boundary::outflow, Boundary::periodic, Boundary::outflow};
        settings.blast.centre = centre;
        settings.blast.energy = 4;
        auto run = BlockSimulation::start({}, settings);
        auto const before = run.totals();
        EXPECT_EQ(run.outflow().energy, 0);
        auto const sizes = run_until(run, 0.05);
        most_sizes = std::max(most_sizes, sizes.size());
        auto const after = run.totals();
        auto const out = run.outflow();
        EXPECT_GT(std::abs(after.energy / before.energy - 1), 0.01) << "much goes through the boundary";
        expect_kept(before, {after.mass + out.mass, after.energy + out.energy});
    }
    EXPECT_GE(most_sizes, 2U) << "the tree should change under it";
}

TEST(Sedov, KeepsMassAndEnergyInASmallBoxWithRootsAndWalls) {
    auto settings = with_levels(3);
    settings.roots = {1, 2, 1};
    settings.adapt_every = 2;
    settings.boundaries = {Boundary::reflecting, Boundary::periodic, Boundary::reflecting};
    settings.blast.centre = {0, 0.1, 0.2};
    auto run = BlockSimulation::start({}, settings);
    auto const before = run.totals();
    auto const sizes = run_until(run, 0.03);  // it has met walls, and itself
    EXPECT_GE(sizes.size(), 2U);
    expect_kept(before, run.totals());
}

TEST(Sedov, EndsAtTheTimeAskedFor) {
    auto settings = with_levels(2);
    auto run = BlockSimulation::start({}, settings);
    run_until(run, 0.003);
    EXPECT_EQ(run.time(), 0.003);
    EXPECT_GT(run.step(), 0);
}

/// Dense gas reaches further on the side with small cells, of which there are eight times as many.
TEST(Sedov, RadiusIsThatOfTheMeanOverTheVolume) {
    Tree tree({2, 2, 2}, {});
    std::vector<Mark> marks(tree.size(), Mark::keep);
    for (std::size_t b = 0; b < tree.size(); ++b) {
        marks[b] = tree.position(b).at[0] == 0 ? Mark::refine : Mark::keep;
    }
    Blocks blocks({}, tree.adapted(marks, 2), 16);
    constexpr Corner centre{0.5, 0.5, 0.5};
    fill(blocks, [&](Corner const& x) -> State {
        auto const r = std::hypot(x[0] - centre[0], x[1] - centre[1], x[2] - centre[2]);
        return {r < 0.2 ? 3 : r < 0.4 && x[0] < centre[0] ? 2.5 : 1, 0, 0, 0, 1};
    });
    EXPECT_NEAR(shock_radius(blocks, centre), 0.2, 0.03);
}

TEST(Sedov, RefusesSettingsThatCannotBeComputed) {
    auto const refused = [](auto change) {
        auto settings = with_levels(2);
        change(settings);
        auto const error = testing::error_of([&] { BlockSimulation::start({}, settings); });
        EXPECT_EQ(error.diagnosis().exit_code, ExitCode::usage);
    };
    refused([](SimulationSettings& s) { s.n = 9; });
    refused([](SimulationSettings& s) { s.levels = 0; });
    refused([](SimulationSettings& s) { s.levels = 25; });
    refused([](SimulationSettings& s) { s.gas.gamma = 1; });
    refused([](SimulationSettings& s) { s.adapt_every = 0; });
    refused([](SimulationSettings& s) { s.blast.centre = {0.5, 1.5, 0.5}; });
}

TEST(Sedov, RefusesToContinueOnAnotherTree) {
    auto settings = with_levels(1);
    auto const nothing = [](std::size_t, auto const&) {};
    auto const error = testing::error_of([&] {
        BlockSimulation::restore({}, settings, Tree({2, 1, 1}, {}), 0, 0, 0, nothing);
    });
    EXPECT_EQ(error.diagnosis().exit_code, ExitCode::usage);
    auto const deep =
        testing::error_of([&] { BlockSimulation::restore({}, settings, bordered_tree({}), 0, 0, 0, nothing); });
    EXPECT_EQ(deep.diagnosis().exit_code, ExitCode::usage);
}

}  // namespace
}  // namespace weir::flash
