#include <gtest/gtest.h>

#include <limits>

#include "apps/aquifer/model/model.hpp"
#include "aquifer/small_aquifer.hpp"
#include "support/failures/error_of.hpp"

namespace weir::aquifer {
namespace {

struct Making {
    Communicator world = Communicator::world();
    Scenario scenario = small_aquifer({6, 5, 8});
    Block block = block_of(scenario.box, ranks_for(scenario.box.cells, world.size()), world.rank());
    Ground ground = random_ground(scenario, block);

    void set(Triple const& cell, double conductivity) {
        if (auto const own = block.own(cell)) {
            ground.conductivity[*own] = conductivity;
        }
    }
    [[nodiscard]] Diagnosis refusal() const {
        return testing::refusal_of(ExitCode::usage,
                                   [&] { make_model(world, scenario, ground, {.choice = ModelChoice::analytic}); });
    }
};

TEST(MakeAquifer, MakesTheAnalyticModelThatIsAskedFor) {
    Making const made;
    auto const model =
        make_model(made.world, made.scenario, made.ground, {.choice = ModelChoice::analytic, .busy_s_per_cell = 0});
    EXPECT_EQ(model->kind(), ModelKind::analytic);
    EXPECT_EQ(model->heads().size(), made.block.count());
    model->advance(1);
    EXPECT_EQ(model->time(), 1);
}

TEST(MakeAquifer, GroundThatIsNoSoilIsRefusedOnAllRanks) {
    for (auto const k :
         {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(), 0.0, -1.0}) {
        Making made;
        made.set({5, 4, 7}, k);
        EXPECT_EQ(made.refusal().problem, "the ground of cell 240 is no soil") << k;
    }
}

TEST(MakeAquifer, TheFirstBadCellIsNamed) {
    Making made;
    made.set({5, 4, 7}, -2);
    made.set({0, 4, 7}, -3);
    made.set({5, 0, 1}, -4);
    made.set({0, 3, 1}, -5);
    EXPECT_EQ(made.refusal().problem, "the ground of cell 36 is no soil");
    EXPECT_EQ(made.refusal().reason, "its saturated conductivity is -4 m/s");
}

TEST(MakeAquifer, UnknownSoilsAreRefused) {
    Making made;
    if (auto const own = made.block.own({3, 2, 0})) {
        made.ground.soil[*own] = 1;
    }
    EXPECT_EQ(made.refusal().problem, "cell 16 is of the material 2");
    EXPECT_EQ(made.refusal().reason, "the materials are 1 to 1");
}

TEST(MakeAquifer, ScenariosThatAreNoneAreRefused) {
    Making made;
    made.scenario.species.clear();
    EXPECT_EQ(made.refusal().problem, "there is no species");
}

}  // namespace
}  // namespace weir::aquifer
