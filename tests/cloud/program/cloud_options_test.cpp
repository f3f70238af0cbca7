#include "apps/cloud/program/cloud_options.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"

namespace weir::cloud {
namespace {

struct CloudOptionsOf : ::testing::Test {
    CloudOptionsOf() { options.declare(set); }

    std::string refusal() const {
        try {
            options.validate_choices();
        } catch (Error const& error) {
            EXPECT_EQ(error.diagnosis().exit_code, ExitCode::usage);
            return error.diagnosis().problem;
        }
        return {};
    }

    CloudOptions options;
    OptionSet set;
};

TEST_F(CloudOptionsOf, AreThePapersSmallCaseUnlessSet) {
    EXPECT_EQ(refusal(), "");
    EXPECT_EQ(options.grid().cells, (Triple{128, 128, 64}));
    EXPECT_DOUBLE_EQ(options.grid().spacing * 128, 1);
    EXPECT_FALSE(options.ranks());
    EXPECT_EQ(options.steps / options.dump_every, 4U);
    EXPECT_FALSE(options.reads());
    EXPECT_TRUE(options.has_files());
}

TEST_F(CloudOptionsOf, LeaveTheProblemItsOwnGasAndGravity) {
    EXPECT_DOUBLE_EQ(options.physics().gas.gamma, 1.1);
    EXPECT_DOUBLE_EQ(options.physics().gravity, RandomCloud{}.gravity(options.grid()));
    for (auto const& [name, gamma, gravity] :
         {std::tuple{"sphere", 5.0 / 3, 1.0}, {"sedov", 1.4, 0.0}, {"sod", 1.4, 0.0}}) {
        set.set("problem", name);
        EXPECT_DOUBLE_EQ(options.physics().gas.gamma, gamma);
        EXPECT_DOUBLE_EQ(options.physics().gravity, gravity);
    }
    set.set_all({{"problem", "jeans"}, {"gamma", 1.2}, {"lengths", 1.5}});
    EXPECT_DOUBLE_EQ(options.physics().gas.gamma, 1.2);
    EXPECT_DOUBLE_EQ(options.physics().gravity, (JeansWave{.lengths = 1.5}.gravity(options.grid())));
}

TEST_F(CloudOptionsOf, PassOnHowTheEquationsAreSolved) {
    set.set_all({{"riemann", "two-shock"}, {"cfl", 0.2}, {"residual", 0}, {"cycles", 7}, {"pressure_floor", 1e-9}});
    auto const physics = options.physics();
    EXPECT_EQ(physics.gas.riemann, RiemannSolver::two_shock);
    EXPECT_DOUBLE_EQ(physics.gas.cfl, 0.2);
    EXPECT_DOUBLE_EQ(physics.gas.pressure_floor, 1e-9);
    EXPECT_EQ(physics.stop.residual, 0);
    EXPECT_EQ(physics.stop.cycles, 7);
}

TEST_F(CloudOptionsOf, RefuseWhatContradictsItself) {
    set.set_all({{"problem", "sod"}, {"amplitude", 0.1}});
    EXPECT_EQ(refusal(), "amplitude contradicts problem = sod");
    set.set_all({{"amplitude", 0}, {"gamma", 0.9}});
    EXPECT_EQ(refusal(), "gamma = 0.9 is no gas's");
    set.set_all({{"gamma", 0}, {"cells", "16777216x16777216x16"}});
    EXPECT_EQ(refusal(), "cells = 16777216x16777216x16 are too many");
    set.set_all({{"cells", "32x32x32"}, {"ranks_along", "2x2"}});
    EXPECT_EQ(refusal(), "ranks_along = '2x2' cannot be read");
    set.set_all({{"ranks_along", ""}, {"restart", "dumps/restart"}, {"restarted", true}});
    EXPECT_EQ(refusal(), "restart and restarted contradict each other");
    EXPECT_THROW(set.set("cfl", 1.5), Error);
    EXPECT_THROW(set.set("amplitude", -1), Error);
}

}  // namespace
}  // namespace weir::cloud
