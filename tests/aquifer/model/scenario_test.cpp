#include "apps/aquifer/model/scenario.hpp"

#include <gtest/gtest.h>

#include "aquifer/small_aquifer.hpp"
#include "support/failures/error_of.hpp"

namespace weir::aquifer {
namespace {

Box const flat{{12, 10, 8}, {10, 10, 1}};

TEST(AquiferScenario, ItsWaterTableIsInsideTheBox) {
    auto const scenario = usual_scenario(flat, 1, Retention::van_genuchten);
    for (Index i = 0; i < 12; ++i) {
        EXPECT_GT(scenario.start_head({i, 0, 3}), 0);
        EXPECT_LT(scenario.start_head({i, 0, 7}), 0);
        EXPECT_NEAR(scenario.start_head({i, 0, 2}) - scenario.start_head({i, 0, 3}), 1, 1e-14) << "at rest";
    }
    EXPECT_GT(scenario.start_head({0, 0, 0}), scenario.start_head({11, 0, 0}));
}

TEST(AquiferScenario, DrySoilLeadsOnTheRain) {
    for (auto const retention : {Retention::van_genuchten, Retention::exponential}) {
        auto const scenario = usual_scenario({{2, 2, 100}, {10, 10, 1}}, 1, retention);
        auto const& soil = scenario.flow.soils.front();
        EXPECT_EQ(scenario.start_head({0, 0, 99}), scenario.driest);
        auto const through = scenario.conductivity * soil.conductivity(scenario.driest).value;
        EXPECT_NEAR(through / scenario.flow.sides[5].value, 1, 1e-6);
    }
}

TEST(AquiferScenario, SpeciesAreAChain) {
    auto const species = usual_scenario(flat, 3, Retention::van_genuchten).species;
    EXPECT_EQ(species[0].name, "Tracer");
    EXPECT_EQ(species[1].name, "Tracer_2");
    EXPECT_EQ(species[2].name, "Tracer_3");
    EXPECT_GT(species[0].decay, species[1].decay);
    EXPECT_EQ(species[2].decay, 0);
    EXPECT_EQ(usual_scenario(flat, 1, Retention::van_genuchten).species[0].decay, 0);
}

TEST(AquiferScenario, CellsUnderWaterShareTheWell) {
    auto scenario = usual_scenario(flat, 1, Retention::van_genuchten);
    scenario.put_well({{6, 5, 0}, {6, 5, 3}, {6, 5, 7}});
    ASSERT_EQ(scenario.flow.wells.size(), 2);
    for (auto const& well : scenario.flow.wells) {
        EXPECT_LT(well.cell[2], 7);
        EXPECT_EQ(well.rate, scenario.well_rate / 2);
        EXPECT_LT(well.rate, 0);
    }
    EXPECT_EQ(testing::error_of([&] { scenario.put_well({{6, 5, 7}}); }).diagnosis().problem, "the well is dry");
    EXPECT_EQ(testing::error_of([&] {
                  scenario.put_well({{6, 10, 0}});
              })
                  .diagnosis()
                  .reason,
              "along y it is number 11 of 10");
    EXPECT_EQ(scenario.flow.wells.size(), 2) << "a refused well changes nothing";
}

TEST(AquiferScenario, OthersAreRefused) {
    auto const problem_of = [](auto change) {
        auto scenario = small_aquifer({12, 10, 8});
        change(scenario);
        return testing::error_of([&] { validate_scenario(scenario); }).diagnosis().problem;
    };
    EXPECT_NO_THROW(validate_scenario(small_aquifer({12, 10, 8}, 4)));
    EXPECT_EQ(problem_of([](Scenario& s) { s.box.edges[1] = 0; }), "there is no box of 12x10x8 cells");
    EXPECT_EQ(problem_of([](Scenario& s) { s.conductivity = std::nan(""); }), "a conductivity of nan m/s is no soil's");
    EXPECT_EQ(problem_of([](Scenario& s) { s.flow.soils.clear(); }), "there is no soil");
    EXPECT_EQ(problem_of([](Scenario& s) { s.flow.soils[0].n = 1; }), "n = 1 is no soil's");
    EXPECT_EQ(problem_of([](Scenario& s) { s.species.clear(); }), "there is no species");
    EXPECT_EQ(problem_of([](Scenario& s) { s.species[0].retardation = 0.5; }), "'Tracer' is no species");
    EXPECT_EQ(problem_of([](Scenario& s) { s.source = {{0, 0, 8}}; }), "a cell of the source is outside the box");
    EXPECT_EQ(problem_of([](Scenario& s) { s.most_halvings = 64; }), "64 halvings are too many");
    EXPECT_THROW(usual_scenario(flat, 0, Retention::exponential), Error);
}

}  // namespace
}  // namespace weir::aquifer
