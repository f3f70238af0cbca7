#include "apps/cloud/program/run_shape.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "apps/cloud/dump/header.hpp"
#include "core/error.hpp"
#include "support/temporary_directory.hpp"

namespace weir::cloud {
namespace {

TEST(RunShapeOf, TakesTheRanksAskedForWithoutALaunch) {
    CloudOptions options;
    EXPECT_EQ(shape_of(options, {}).ranks, (Triple{1, 1, 1}));
    options.ranks_along = "4x4x4";
    EXPECT_EQ(shape_of(options, {}).ranks, (Triple{4, 4, 4}));
    EXPECT_THROW(shape_of(options, 8), Error);
}

TEST(RunShapeOf, ChoosesRanksAsARunDoes) {
    CloudOptions const options;
    EXPECT_EQ(volume(shape_of(options, 8).ranks), 8);
    EXPECT_THROW(shape_of(options, 7), Error);
}

TEST(RunShapeOf, KnowsTheBytesOfThePapersFiles) {
    CloudOptions options;
    options.restarted = true;
    EXPECT_EQ(bytes_left(shape_of(options, 8)), 5 * 25'165'848U + 16 * 1'048'600U);
    options.dump_every = 21;
    EXPECT_EQ(bytes_left(shape_of(options, 8)), 25'165'848U);
    options.restarted = false;
    options.dump_every = 0;
    EXPECT_EQ(bytes_left(shape_of(options, 8)), 0U);
}

void write_header(std::string const& path, Index step) {
    auto const reals = to_reals({{128, 128, 64}, step, 0.5F, 1.1F});
    std::ofstream(path).write(reinterpret_cast<char const*>(reals.data()), sizeof reals);
}

TEST(RunShapeOf, RefusesStepsThatNoDumpCanTell) {
    weir::testing::TemporaryDirectory const folder;
    CloudOptions options;
    options.restart = (folder.path() / "restart").string();
    write_header(options.restart, (1 << 24) - 20);
    EXPECT_NO_THROW(shape_of(options, {}));
    options.steps = 21;
    EXPECT_THROW(shape_of(options, {}), Error);
    options.dump_every = 0;
    EXPECT_NO_THROW(shape_of(options, {}));
}

TEST(RunShapeOf, ReadsFromWhichStepARestartGoesOn) {
    weir::testing::TemporaryDirectory const folder;
    CloudOptions options;
    options.restart = (folder.path() / "restart").string();
    EXPECT_THROW(shape_of(options, {}), Error);
    write_header(options.restart, 15);
    auto const shape = shape_of(options, {});
    EXPECT_EQ(shape.first_step, 15);
    EXPECT_TRUE(shape.restarted);
}

}  // namespace
}  // namespace weir::cloud
