#include "apps/common/decomposition.hpp"

#include <gtest/gtest.h>

#include "apps/cloud/hydrodynamics.hpp"
#include "core/error.hpp"
#include "support/failures/error_of.hpp"

namespace weir::cloud {
namespace {

TEST(Decomposition, OfOneRankIsTheWholeGrid) {
    Decomposition const where({}, {{8, 6, 4}, 0.5});
    EXPECT_EQ(where.cells(), (Triple{8, 6, 4}));
    EXPECT_EQ(where.start(), (Triple{0, 0, 0}));
    EXPECT_EQ(where.neighbour(0, -1), 0);
    EXPECT_FALSE(where.is_cut(2));
}

TEST(Decomposition, RefusesRanksThatAreNotThere) {
    auto const error = testing::error_of([&] { Decomposition({}, {{8, 8, 8}, 1}, Triple{2, 2, 2}); });
    EXPECT_EQ(error.diagnosis().exit_code, ExitCode::usage);
    EXPECT_NE(std::string(error.what()).find("2 x 2 x 2"), std::string::npos) << error.what();
}

TEST(Decomposition, ChoosesTheLeastSurfaceAmongEvenBlocks) {
    EXPECT_EQ(ranks_along({{64, 32, 16}, 1}, 2, {}), (Triple{2, 1, 1}));
    EXPECT_EQ(ranks_along({{16, 32, 64}, 1}, 4, {}), (Triple{1, 1, 4}));
    EXPECT_EQ(ranks_along({{32, 32, 32}, 1}, 4, {}), (Triple{1, 1, 4}));
    EXPECT_EQ(ranks_along({{30, 20, 10}, 1}, 2, {}), (Triple{1, 2, 1}));  // and not blocks of 15 x 20 x 10
    EXPECT_EQ(ranks_along({{45, 15, 15}, 1}, 3, {}), (Triple{3, 1, 1}));
}

TEST(Decomposition, RefusesAGridWithoutCells) { EXPECT_THROW(Decomposition({}, {{8, 0, 8}, 1}), Error); }

TEST(Hydrodynamics, RefusesBlocksThinnerThanTheirGhosts) {
    EXPECT_THROW(Hydrodynamics(Decomposition({}, {{8, 3, 8}, 1}), Gas{}), Error);
}

}  // namespace
}  // namespace weir::cloud
