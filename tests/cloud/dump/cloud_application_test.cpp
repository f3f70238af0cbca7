#include "apps/cloud/dump/cloud_application.hpp"

#include <gtest/gtest.h>

#include "support/failures/error_of.hpp"

namespace weir::cloud {
namespace {

struct CloudApplicationOf : ::testing::Test {
    CloudApplicationOf() { application.declare(set); }

    std::string refusal() const {
        return testing::refusal_of(ExitCode::usage, [&] { application.validate_choices(1, false); }).problem;
    }

    CloudApplication application;
    OptionSet set;
};

TEST_F(CloudApplicationOf, AreThePapersSmallCaseUnlessSet) {
    EXPECT_EQ(refusal(), "");
    EXPECT_EQ(application.grid().cells, (Triple{128, 128, 64}));
    EXPECT_DOUBLE_EQ(application.grid().spacing * 128, 1);
    EXPECT_EQ(application.own_ranks(), 1U);
}

TEST_F(CloudApplicationOf, LeaveTheProblemItsOwnGasAndGravity) {
    EXPECT_DOUBLE_EQ(application.physics().gas.gamma, 1.1);
    EXPECT_DOUBLE_EQ(application.physics().gravity, RandomCloud{}.gravity(application.grid()));
    for (auto const& [name, gamma, gravity] :
         {std::tuple{"sphere", 5.0 / 3, 1.0}, {"sedov", 1.4, 0.0}, {"sod", 1.4, 0.0}}) {
        set.set("problem", name);
        EXPECT_DOUBLE_EQ(application.physics().gas.gamma, gamma);
        EXPECT_DOUBLE_EQ(application.physics().gravity, gravity);
    }
    set.set_all({{"problem", "jeans"}, {"gamma", 1.2}, {"lengths", 1.5}});
    EXPECT_DOUBLE_EQ(application.physics().gas.gamma, 1.2);
    EXPECT_DOUBLE_EQ(application.physics().gravity, (JeansWave{.lengths = 1.5}.gravity(application.grid())));
}

TEST_F(CloudApplicationOf, PassOnHowTheEquationsAreSolved) {
    set.set_all({{"riemann", "two-shock"}, {"cfl", 0.2}, {"residual", 0}, {"cycles", 7}, {"pressure_floor", 1e-9}});
    auto const physics = application.physics();
    EXPECT_EQ(physics.gas.riemann, RiemannSolver::two_shock);
    EXPECT_DOUBLE_EQ(physics.gas.cfl, 0.2);
    EXPECT_DOUBLE_EQ(physics.gas.pressure_floor, 1e-9);
    EXPECT_EQ(physics.stop.residual, 0);
    EXPECT_EQ(physics.stop.cycles, 7);
}

TEST_F(CloudApplicationOf, FitTheRanks) {
    set.set_all({{"ranks_along", "4x4x4"}});
    EXPECT_EQ(application.own_ranks(), 64U);
    EXPECT_NO_THROW(application.validate_choices(64, true));
    EXPECT_THROW(application.validate_choices(8, true), Error);
    EXPECT_NO_THROW(application.check_last_step(1 << 24));
    EXPECT_THROW(application.check_last_step((1 << 24) + 1), Error);
}

TEST_F(CloudApplicationOf, RefuseWhatContradictsItself) {
    set.set_all({{"problem", "sod"}, {"amplitude", 0.1}});
    EXPECT_EQ(refusal(), "amplitude contradicts problem = sod");
    set.set_all({{"amplitude", 0}, {"gamma", 0.9}});
    EXPECT_EQ(refusal(), "gamma = 0.9 is no gas's");
    set.set_all({{"gamma", 0}, {"cells", "16777216x16777216x16"}});
    EXPECT_EQ(refusal(), "cells = 16777216x16777216x16 are too many");
    set.set_all({{"cells", "32x32x32"}, {"ranks_along", "2x2"}});
    EXPECT_EQ(refusal(), "ranks_along = '2x2' cannot be read");
    EXPECT_THROW(set.set("cfl", 1.5), Error);
    EXPECT_THROW(set.set("amplitude", -1), Error);
}

}  // namespace
}  // namespace weir::cloud
