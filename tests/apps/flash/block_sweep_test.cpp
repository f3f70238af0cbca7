// Gas that crosses borders of levels on a tree that stays as it is.

#include "apps/flash/gas/block_sweep.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "apps/flash/gas/totals.hpp"
#include "apps/flash/gas_on_blocks.hpp"

namespace weir::flash {
namespace {

constexpr gas::Gas air{.gamma = gamma_air};

/// Steps of equal length, axes forth and back in turns.
void run(Blocks& blocks, double dt, int steps, gas::Gas const& gas = air) {
    std::vector<BlockSweep> sweeps;
    for (std::size_t axis = 0; axis < axes; ++axis) {
        sweeps.emplace_back(blocks, axis);
    }
    Parents parents(blocks);
    for (int step = 0; step < steps; ++step) {
        for (std::size_t turn = 0; turn < axes; ++turn) {
            ASSERT_FALSE(sweeps[step % 2 == 0 ? turn : axes - 1 - turn].run(blocks, dt, gas));
            parents.fill(blocks, gas.gamma);
        }
    }
}

TEST(BlockSweep, KeepsUniformFlowAcrossLevelBorders) {
    for (auto const n : {8, 12}) {
        constexpr State gas{1.3, 0.4, -0.3, 0.2, 0.7};
        Blocks blocks({}, bordered_tree(all_periodic), n);
        fill(blocks, [&](Corner const&) { return gas; });
        run(blocks, 0.002, 4);
        for (auto b = blocks.first(); b < blocks.end(); ++b) {
            for_cells(blocks.interior(), [&](Triple const& c) {
                for (std::size_t v = 0; v < variables; ++v) {
                    ASSERT_NEAR(blocks.cells(b).state(c)[v], gas[v], 1e-14) << v;
                }
            });
        }
    }
}

State waves(Corner const& x) {
    auto const wave = [&](double i, double j, double k) {
        return std::sin(2 * std::numbers::pi * (i * x[0] + j * x[1] + k * x[2]));
    };
    return {1 + 0.5 * wave(1, 1, 0), wave(0, 1, 2), 0.5 * wave(2, 0, 1), wave(1, -1, 1), 1 + 0.5 * wave(1, 0, -1)};
}

TEST(BlockSweep, KeepsMassMomentumAndEnergy) {
    for (auto const riemann : {gas::RiemannSolver::hllc, gas::RiemannSolver::two_shock}) {
        Blocks blocks({}, bordered_tree(all_periodic), 8);
        fill(blocks, waves);
        auto const before = total_of(blocks);
        run(blocks, 0.003, 6, {.gamma = gamma_air, .riemann = riemann});
        auto const after = total_of(blocks);
        for (std::size_t v = 0; v < variables; ++v) {
            EXPECT_NEAR(after[v], before[v], 1e-13) << "conserved quantity " << v;
        }
    }
}

TEST(BlockSweep, KeepsMassAndEnergyBetweenWalls) {
    constexpr Boundaries walls{Boundary::reflecting, Boundary::reflecting, Boundary::reflecting};
    Blocks blocks({}, bordered_tree(walls), 8);
    fill(blocks, waves);
    auto const before = total_of(blocks);
    run(blocks, 0.003, 6);
    EXPECT_NEAR(total_of(blocks)[density], before[density], 1e-13);
    EXPECT_NEAR(total_of(blocks)[pressure], before[pressure], 1e-12);
}

/// A density bump that moves with the gas, along an axis, through blocks of all levels: how far it is from where it
/// should be (mean over the volume), and the greatest disturbance of the pressure, which should be none.
struct Carried {
    double density_error = 0;
    double pressure_error = 0;
};

Carried carry(Tree const& tree, Index n, std::size_t axis, double time) {
    auto const at = [&](Corner const& x, double t) -> State {
        auto const away = std::remainder(x[axis] - 0.25 - t, 1.0);
        State state{1 + std::exp(-away * away / (2 * 0.08 * 0.08)), 0, 0, 0, 1};
        state[1 + axis] = 1;
        return state;
    };
    Blocks blocks({}, tree, n);
    fill(blocks, [&](Corner const& x) { return at(x, 0); });
    auto const steps = static_cast<int>(std::ceil(time * static_cast<double>(n << (tree.levels() - 1)) * 2.2 / 0.4));
    run(blocks, time / steps, steps);
    Carried error;
    for (auto const b : blocks.leaves()) {
        auto const cell = std::pow(blocks.spacing(b), 3);
        for_cells(blocks.interior(), [&](Triple const& c) {
            auto const state = blocks.cells(b).state(c);
            error.density_error += cell * std::abs(state[density] - at(blocks.centre(b, c), time)[density]);
            error.pressure_error = std::max(error.pressure_error, std::abs(state[pressure] - 1));
        });
    }
    return error;
}

TEST(BlockSweep, CarriesABumpAcrossLevelBordersWithoutReflection) {
    auto const tree = bordered_tree(all_periodic);
    auto coarse = Tree({1, 1, 1}, all_periodic);
    coarse = coarse.adapted(std::vector<Mark>(1, Mark::refine), 2);
    for (std::size_t axis = 0; axis < axes; ++axis) {
        auto const across = carry(tree, 8, axis, 0.125);
        auto const alike = carry(coarse, 8, axis, 0.125);
        RecordProperty("density_error_" + std::to_string(axis), std::to_string(across.density_error));
        RecordProperty("density_error_coarse_" + std::to_string(axis), std::to_string(alike.density_error));
        RecordProperty("pressure_error_" + std::to_string(axis), std::to_string(across.pressure_error));
        EXPECT_LT(across.density_error, 1.1 * alike.density_error);
        EXPECT_LT(across.pressure_error, 0.01);
    }
}

/// A sound pulse that runs along x through a plane where levels meet, from one side or the other: the wave that comes
/// back, as a part of it.
double reflected(bool into_fine_blocks) {
    Tree tree({4, 1, 1}, {Boundary::outflow, Boundary::periodic, Boundary::periodic});
    tree = tree.adapted(std::vector{Mark::keep, Mark::keep, Mark::refine, Mark::refine}, 2);
    Blocks blocks({}, tree, 8);
    constexpr double amplitude = 1e-3;
    auto const sound = std::sqrt(gamma_air);
    auto const direction = into_fine_blocks ? 1.0 : -1.0;
    auto const from = 0.5 - 0.2 * direction;
    fill(blocks, [&](Corner const& x) -> State {
        auto const wave = amplitude * std::exp(-std::pow((x[0] - from) / 0.04, 2) / 2);
        return {1 + wave, direction * sound * wave, 0, 0, 1 + gamma_air * wave};
    });
    run(blocks, 0.4 / sound / 64, 64);  // as far again on the other side
    double most = 0;
    for (auto const b : blocks.leaves()) {
        for_cells(blocks.interior(), [&](Triple const& c) {
            auto const state = blocks.cells(b).state(c);
            auto const back = state[pressure] - 1 - direction * sound * state[velocity_x];
            most = std::max(most, std::abs(back) / (2 * gamma_air * amplitude));
        });
    }
    return most;
}

TEST(BlockSweep, ReflectsLittleOfASoundPulseAtALevelBorder) {
    auto const into_fine = reflected(true);
    auto const into_coarse = reflected(false);
    RecordProperty("reflected_into_fine", std::to_string(into_fine));
    RecordProperty("reflected_into_coarse", std::to_string(into_coarse));
    EXPECT_LT(into_fine, 0.01);
    EXPECT_LT(into_coarse, 0.01);
}

TEST(BlockSweep, NamesACellThatIsNoGas) {
    Blocks blocks({}, bordered_tree({}), 8);
    // Two halves that fly apart much faster than sound leave a vacuum between them.
    fill(blocks, [](Corner const& x) -> State { return {1, x[0] < 0.5 ? -50.0 : 50.0, 0, 0, 1e-3}; });
    auto const bad = BlockSweep(blocks, 0).run(blocks, 0.0005, air);
    ASSERT_TRUE(bad);
    auto const cell = blocks.cells(bad->block).state(bad->cell);
    EXPECT_FALSE(cell[density] > 0 && cell[pressure] > 0);
    EXPECT_NEAR(blocks.centre(bad->block, bad->cell)[0], 0.5, 0.1);
}

}  // namespace
}  // namespace weir::flash
