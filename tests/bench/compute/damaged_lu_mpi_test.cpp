#include <gtest/gtest.h>

#include <cmath>

#include "bench/compute/hpl/hpl_residual.hpp"
#include "bench/compute/hpl/lu.hpp"

namespace weir {
namespace {

/// A number that goes wrong while HPL runs, on any rank, ends in a residual that does not pass, and nothing else.
TEST(DamagedLu, NeverPassesAndNeverLeavesTheMatrix) {
    auto const world = Communicator::world();
    auto const& blas = Blas::load("auto", 1);
    MonotonicClock const clock;
    for (std::uint64_t rows = 1; rows <= world.size(); ++rows) {
        if (world.size() % rows != 0) {
            continue;
        }
        ProcessGrid const grid(world, rows, world.size() / rows);
        for (std::uint64_t trial = 0; trial < 24; ++trial) {
            HplElements const elements{97, trial};
            HplMatrix matrix(grid, elements.size(), 8);
            matrix.fill(elements);
            auto const wrong = trial % 2 == 0 ? std::nan("") : HUGE_VAL;
            if (world.rank() == trial % world.size() && matrix.local_rows() > 0 && matrix.local_columns() > 0) {
                *matrix.at(trial * 7 % matrix.local_rows(), trial * 13 % matrix.local_columns()) = wrong;
            }
            LuPlan plan;
            plan.look_ahead = trial % 3;
            plan.swap = static_cast<SwapRoute>(trial % 3);
            plan.route = static_cast<PanelRoute>(trial % 6);
            plan.least_columns = 1 + trial % 4;
            auto const x = Lu(grid, blas, plan, clock).solve(matrix, 8);
            matrix.fill(elements);
            EXPECT_FALSE(hpl_residual(grid, blas, matrix, x).scaled < HplResidual::most) << rows << " " << trial;
        }
    }
}

}  // namespace
}  // namespace weir
