// The potential on grids that are no cubes and on all the ways to cut them: the same bits in as many cycles.

#include "apps/cloud/gravity.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "apps/cloud/whole_grid.hpp"

namespace weir::cloud {
namespace {

/// Waves as long as the grid, and roughness.
Doubles source_of(Triple const& n) {
    Doubles values;
    for (Index i = 0; i < volume(n); ++i) {
        auto const x = static_cast<double>(i % n[0]) / static_cast<double>(n[0]);
        values.push_back(1 + std::cos(6.25 * x) + 0.1 * std::sin(static_cast<double>(i * i % 1009)));
    }
    return values;
}

struct Solved {
    Solution solution;
    Doubles phi;  ///< of the whole grid
};

Solved solved_on(Decomposition const& where, Stop const& stop) {
    auto const whole = source_of(where.grid().cells);
    Doubles source(static_cast<std::size_t>(volume(where.cells())));
    take_block(where, whole, source);
    Doubles phi(source.size());
    PotentialSolver solver(where);
    Solved solved{solver.solve(phi, source, stop), Doubles(whole.size())};
    gather_grid(where, phi, solved.phi);
    return solved;
}

std::vector<Triple> ways_to_cut(Triple const& cells, Index size) {
    std::vector<Triple> ways;
    for (Index x = 1; x <= size; ++x) {
        for (Index y = 1; x * y <= size; ++y) {
            auto const z = size / (x * y);
            if (x * y * z == size && cells[0] % x == 0 && cells[1] % y == 0 && cells[2] % z == 0) {
                ways.push_back({x, y, z});
            }
        }
    }
    return ways;
}

class PotentialOf : public ::testing::TestWithParam<Triple> {};

TEST_P(PotentialOf, IsTheSameHoweverTheGridIsCut) {
    auto const world = Communicator::world();
    Grid const grid{GetParam(), 1.0};
    Stop const stop{1e-8, 30};
    auto const alone = solved_on(Decomposition({}, grid), stop);
    EXPECT_TRUE(alone.solution.converged);
    // A cycle gains a factor of eight and more on whatever grid.
    EXPECT_LE(alone.solution.cycles, 9);
    for (auto const& ranks : ways_to_cut(grid.cells, static_cast<Index>(world.size()))) {
        auto const shared = solved_on(Decomposition(world, grid, ranks), stop);
        auto const way = ::testing::PrintToString(ranks);
        EXPECT_EQ(shared.solution.cycles, alone.solution.cycles) << way;
        EXPECT_EQ(shared.solution.residual, alone.solution.residual) << way;
        EXPECT_EQ(std::memcmp(shared.phi.data(), alone.phi.data(), alone.phi.size() * sizeof(double)), 0) << way;
    }
}

INSTANTIATE_TEST_SUITE_P(NoCubes, PotentialOf,
                         ::testing::Values(Triple{128, 16, 16}, Triple{64, 8, 8}, Triple{256, 8, 8}, Triple{30, 20, 10},
                                           Triple{60, 20, 20}, Triple{90, 18, 18}, Triple{12, 36, 24}));
INSTANTIATE_TEST_SUITE_P(Cubes, PotentialOf,
                         ::testing::Values(Triple{8, 8, 8}, Triple{24, 24, 24}, Triple{36, 36, 36}));
INSTANTIATE_TEST_SUITE_P(Primes, PotentialOf, ::testing::Values(Triple{34, 26, 22}, Triple{74, 6, 6}));
INSTANTIATE_TEST_SUITE_P(OddNumbers, PotentialOf,
                         ::testing::Values(Triple{45, 15, 9}, Triple{27, 16, 12}, Triple{13, 17, 12}));

}  // namespace
}  // namespace weir::cloud
