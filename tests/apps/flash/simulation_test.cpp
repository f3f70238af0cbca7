// What whole steps keep, while the tree is adapted: gas that is the same everywhere, totals, and symmetry.

#include "apps/flash/gas/simulation.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <set>

#include "apps/flash/gas_on_blocks.hpp"

namespace weir::flash {
namespace {

/// A root block alone.
Tree one_block(Boundary boundary) { return {{1, 1, 1}, {boundary, boundary, boundary}}; }

/// Four levels, each refined in one corner of the domain only.
Tree corner_tree(Boundary boundary) {
    auto tree = one_block(boundary);
    for (int level = 0; level < 3; ++level) {
        std::vector<Mark> marks(tree.size(), Mark::keep);
        marks[*tree.find({level, {0, 0, 0}})] = Mark::refine;
        tree = tree.adapted(marks, 4);
    }
    return tree;
}

SimulationSettings settings_on(Tree const& tree, Index adapt_every) {
    SimulationSettings settings;
    settings.levels = 4;
    settings.adapt_every = adapt_every;
    settings.roots = tree.roots();
    settings.boundaries = tree.boundaries();
    return settings;
}

/// A run that goes on from this step with this gas on this tree.
BlockSimulation begun(SimulationSettings const& settings, Tree const& tree, AtPoint const& at, Index step) {
    Blocks blocks({}, tree, settings.n);
    fill(blocks, at);
    return BlockSimulation::restore({}, settings, tree, 0, 0, step, [&](std::size_t b, auto const& values) {
        for (std::size_t v = 0; v < variables; ++v) {
            std::ranges::copy(blocks.values(b, v), values[v].begin());
        }
    });
}

BlockSimulation begun(Tree const& tree, AtPoint const& at) { return begun(settings_on(tree, 2), tree, at, 0); }

/// Runs; the numbers of blocks on the way.
std::set<std::size_t> run_steps(BlockSimulation& run, int steps) {
    std::set<std::size_t> sizes{run.tree().size()};
    for (int step = 0; step < steps; ++step) {
        run.advance();
        sizes.insert(run.tree().size());
    }
    return sizes;
}

/// The greatest difference of any cell from this gas.
double distance(BlockSimulation const& run, State const& gas) {
    double most = 0;
    for (auto const b : run.blocks().leaves()) {
        for_cells(run.blocks().interior(), [&](Triple const& c) {
            for (std::size_t v = 0; v < variables; ++v) {
                most = std::max(most, std::abs(run.blocks().cells(b).state(c)[v] - gas[v]));
            }
        });
    }
    return most;
}

class UniformGas : public ::testing::TestWithParam<Tree (*)(Boundary)> {};

TEST_P(UniformGas, StaysAtRest) {
    constexpr State gas{1.3, 0, 0, 0, 0.7};
    for (auto const boundary : {Boundary::outflow, Boundary::reflecting, Boundary::periodic}) {
        auto run = begun(GetParam()(boundary), [&](Corner const&) { return gas; });
        run_steps(run, 6);
        EXPECT_LT(distance(run, gas), 1e-14) << to_text(boundary);
        EXPECT_EQ(run.tree().levels(), 1) << "nothing needs small cells";
    }
}

TEST_P(UniformGas, MovesAsItIs) {
    constexpr State gas{1.3, 0.4, -0.3, 0.2, 0.7};
    for (auto const boundary : {Boundary::outflow, Boundary::periodic}) {
        auto run = begun(GetParam()(boundary), [&](Corner const&) { return gas; });
        run_steps(run, 6);
        EXPECT_LT(distance(run, gas), 1e-14) << to_text(boundary);
    }
}

INSTANTIATE_TEST_SUITE_P(Trees, UniformGas, ::testing::Values(one_block, corner_tree),
                         [](auto const& tree) { return tree.param == one_block ? "OneBlock" : "RefinedCorner"; });

/// Hot dense gas in a ball, in a wind with waves of random phases.
AtPoint ball_in_wind(unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> phase(0, 2 * std::numbers::pi);
    std::array<double, variables> phases{};
    std::ranges::generate(phases, [&] { return phase(random); });
    return [phases](Corner const& x) -> State {
        auto const wave = [&](std::size_t v) {
            return 0.1 * std::sin(2 * std::numbers::pi * (x[v % axes] + x[(v + 1) % axes]) + phases.at(v));
        };
        auto const inside = std::hypot(x[0] - 0.3, x[1] - 0.6, x[2] - 0.4) < 0.12;
        return {(inside ? 4.0 : 1.0) + wave(0), 0.7 + wave(1), wave(2) - 0.4, 0.3 + wave(3),
                (inside ? 20.0 : 1.0) + wave(4)};
    };
}

TEST(PeriodicGas, KeepsMassMomentumAndEnergyWhileBlocksChange) {
    auto run = begun(bordered_tree(all_periodic), ball_in_wind(1));
    auto const before = total_of(run.blocks());
    EXPECT_GE(run_steps(run, 20).size(), 3U) << "numbers of blocks";
    auto const after = total_of(run.blocks());
    for (std::size_t v = 0; v < variables; ++v) {
        EXPECT_NEAR(after[v], before[v], 1e-12 * std::abs(before[v])) << "conserved quantity " << v;
    }
}

/// Every other step goes through the axes backwards: of gas with x and z exchanged it makes what a step forwards makes
/// of the gas.
TEST(Steps, GoThroughTheAxesForthAndBackInTurns) {
    auto const tree = one_block(Boundary::periodic);
    auto const settings = settings_on(tree, 100);
    auto const exchanged = [](State const& s) -> State {
        return {s[density], s[velocity_z], s[velocity_y], s[velocity_x], s[pressure]};
    };
    auto const gas = ball_in_wind(2);
    AtPoint const gas_exchanged = [&](Corner const& x) { return exchanged(gas({x[2], x[1], x[0]})); };
    auto forth = begun(settings, tree, gas, 0);
    auto back = begun(settings, tree, gas_exchanged, 1);
    forth.advance();
    back.advance();
    EXPECT_EQ(forth.dt(), back.dt());
    double most = 0;
    for_cells(forth.blocks().interior(), [&](Triple const& c) {
        auto const expected = exchanged(forth.blocks().cells(0).state(c));
        auto const found = back.blocks().cells(0).state({c[2], c[1], c[0]});
        for (std::size_t v = 0; v < variables; ++v) {
            most = std::max(most, std::abs(found[v] - expected[v]));
        }
    });
    EXPECT_LT(most, 1e-12);
}

/// The greatest difference between cells and their mirror images along an axis, as a part of the variable's greatest
/// value; the tree has its own mirror image.
State asymmetry(BlockSimulation const& run, std::size_t axis) {
    auto const& blocks = run.blocks();
    State difference{};
    State greatest{};
    for (auto const b : blocks.leaves()) {
        auto image = blocks.tree().position(b);
        image.at[axis] = (Index{1} << image.level) - 1 - image.at[axis];
        auto const other = blocks.tree().find(image);
        if (!other || !blocks.tree().is_leaf(*other)) {
            ADD_FAILURE() << "leaf " << b << " has no image";
            return {};
        }
        for_cells(blocks.interior(), [&](Triple const& cell) {
            auto there = cell;
            there[axis] = blocks.n() - 1 - cell[axis];
            auto const state = blocks.cells(b).state(cell);
            auto mirrored = blocks.cells(*other).state(there);
            mirrored[velocity_x + axis] *= -1;
            for (std::size_t v = 0; v < variables; ++v) {
                difference[v] = std::max(difference[v], std::abs(state[v] - mirrored[v]));
                greatest[v] = std::max(greatest[v], std::abs(state[v]));
            }
        });
    }
    for (std::size_t v = 0; v < variables; ++v) {
        difference[v] /= greatest[v];
    }
    return difference;
}

TEST(SymmetricBlast, StaysItsOwnMirrorImage) {
    SimulationSettings settings;
    settings.levels = 4;
    settings.adapt_every = 2;
    auto run = BlockSimulation::start({}, settings);
    EXPECT_GE(run_steps(run, 20).size(), 2U) << "numbers of blocks";
    for (std::size_t axis = 0; axis < axes; ++axis) {
        for (auto const part : asymmetry(run, axis)) {
            EXPECT_LT(part, 1e-12) << "axis " << axis;
        }
    }
}

}  // namespace
}  // namespace weir::flash
