#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "apps/flash/gas/surroundings.hpp"
#include "apps/flash/gas_on_blocks.hpp"
#include "core/error.hpp"
#include "support/failures/error_of.hpp"

namespace weir::flash {
namespace {

/// Visits all cells of all blocks, and of the guard layers around them, with the point that they are at.
template <class Visit>
void for_surroundings(Blocks const& blocks, Visit visit) {
    Surroundings surroundings(blocks);
    surroundings.exchange(blocks);
    CellBox const box{{-guards, -guards, -guards}, {blocks.n() + guards, blocks.n() + guards, blocks.n() + guards}};
    for (auto b = blocks.first(); b < blocks.end(); ++b) {
        auto const cells = surroundings.around(blocks, b, gamma_air);
        for_cells(box, [&](Triple const& c) { visit(b, c, blocks.centre(b, c), cells.state(c)); });
    }
}

bool is_within(Corner const& at, double margin) {
    auto const inside = [&](double x) { return x > margin && x < 1 - margin; };
    return inside(at[0]) && inside(at[1]) && inside(at[2]);
}

TEST(GuardCells, OfALinearFieldAreExactOnBothSidesOfLevelBorders) {
    for (auto const n : {8, 10}) {
        Blocks blocks({}, bordered_tree({}), n);
        auto const at = [](Corner const& x) -> State {
            return {3 + x[0] + 2 * x[1] - x[2], 0.5, -2, 0.25, 4 + 2 * x[0] - x[1] + x[2]};
        };
        fill(blocks, at);
        ASSERT_EQ(blocks.tree().levels(), 4);
        Index cells = 0;
        for_surroundings(blocks, [&](std::size_t b, Triple const&, Corner const& x, State const& state) {
            // Coarse cells at a boundary have no slope across it.
            if (is_within(x, 2 * blocks.spacing(b))) {
                ++cells;
                auto const expected = at(x);
                for (std::size_t v = 0; v < variables; ++v) {
                    ASSERT_NEAR(state[v], expected[v], 2e-14) << "variable " << v << " of block " << b;
                }
            }
        });
        EXPECT_GT(cells, 25 * n * n * n);
    }
}

/// One block, whose guard cells are all its own.
TEST(GuardCells, BeyondBoundariesAreOutermostOrMirroredOrWrapped) {
    Blocks blocks({}, Tree({1, 1, 1}, {Boundary::outflow, Boundary::reflecting, Boundary::periodic}), 8);
    auto const number = [](Triple const& c) { return 1 + static_cast<double>(c[0] + 10 * c[1] + 100 * c[2]); };
    for_cells(blocks.interior(), [&](Triple const& c) {
        auto const x = number(c);
        blocks.cells(0).set(c, {x, x, x, x, x});
    });
    for_surroundings(blocks, [&](std::size_t, Triple const& c, Corner const&, State const& state) {
        auto const y = c[1] < 0 ? -1 - c[1] : c[1] > 7 ? 15 - c[1] : c[1];
        auto const from = number({std::clamp<Index>(c[0], 0, 7), y, (c[2] + 8) % 8});
        auto const normal = y == c[1] ? from : -from;
        ASSERT_EQ(state, (State{from, from, normal, from, from})) << c[0] << ' ' << c[1] << ' ' << c[2];
    });
}

/// Waves with the box's period, continued through its sides: as good as within it.
TEST(GuardCells, OfAPeriodicTreeGoOnBeyondItsSides) {
    constexpr Boundaries around{Boundary::periodic, Boundary::periodic, Boundary::periodic};
    auto const at = [](Corner const& x) -> State {
        auto const wave = std::sin(2 * std::numbers::pi * (x[0] + x[1] - x[2]));
        return {2 + wave, 0, 0, 0, 1};
    };
    double coarser = 0;
    for (auto const n : {8, 16}) {
        Blocks blocks({}, bordered_tree(around), n);
        fill(blocks, at);
        double most = 0;
        for_surroundings(blocks, [&](std::size_t, Triple const&, Corner const& x, State const& state) {
            most = std::max(most, std::abs(state[density] - at(x)[density]));
        });
        if (n > 8) {
            EXPECT_LT(most, 0.4 * coarser);
        }
        coarser = most;
        RecordProperty("error_" + std::to_string(n), std::to_string(most));
    }
    EXPECT_LT(coarser, 0.05);
}

/// At a corner where three levels meet a reflecting wall, uniform gas at rest stays uniform.
TEST(GuardCells, OfUniformGasAreUniform) {
    constexpr State gas{1.3, 0, 0, 0, 0.7};
    constexpr Boundaries walls{Boundary::reflecting, Boundary::outflow, Boundary::reflecting};
    Blocks blocks({}, bordered_tree(walls, {2, 1, 1}), 8);
    fill(blocks, [&](Corner const&) { return gas; });
    for_surroundings(blocks,
                     [&](std::size_t, Triple const&, Corner const&, State const& state) { ASSERT_EQ(state, gas); });
}

TEST(Blocks, RefuseSizesThatLevelsCannotShare) {
    for (auto const n : {7, 9, 6, 0}) {
        auto const error = testing::error_of([&] { Blocks({}, Tree({1, 1, 1}, {}), n); });
        EXPECT_EQ(error.diagnosis().exit_code, ExitCode::usage);
    }
}

}  // namespace
}  // namespace weir::flash
