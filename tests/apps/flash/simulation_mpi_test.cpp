// The same bits on every number of ranks.

#include "apps/flash/gas/simulation.hpp"

#include <gtest/gtest.h>

#include <map>

#include "apps/flash/gas_on_blocks.hpp"
#include "core/error.hpp"
#include "support/failures/error_of.hpp"

namespace weir::flash {
namespace {

/// Calls `test` with communicators of 1, 2, 3, ... of the ranks, each on those that are in it.
template <class Test>
void on_each_number_of_ranks(Test test) {
    auto const world = Communicator::world();
    for (std::uint64_t size = 1; size <= world.size(); ++size) {
        auto const some = world.split(world.rank() < size ? 0 : 1);
        if (world.rank() < size) {
            test(some);
        }
        world.barrier();
    }
}

SimulationSettings small_blast() {
    SimulationSettings settings;
    settings.levels = 3;
    settings.roots = {1, 2, 1};
    settings.adapt_every = 2;
    settings.boundaries = {Boundary::reflecting, Boundary::periodic, Boundary::outflow};
    settings.blast.centre = {0.2, 0.3, 0.7};
    return settings;
}

void expect_same(BlockSimulation const& run, BlockSimulation const& whole) {
    ASSERT_TRUE(run.tree() == whole.tree());
    EXPECT_EQ(run.time(), whole.time());
    EXPECT_EQ(run.dt(), whole.dt());
    EXPECT_EQ(run.step(), whole.step());
    EXPECT_EQ(digests(run.blocks()), digests(whole.blocks()));
    EXPECT_EQ(run.totals().mass, whole.totals().mass);
    EXPECT_EQ(run.totals().energy, whole.totals().energy);
    EXPECT_EQ(run.radius(), whole.radius());
}

void steps(BlockSimulation& run, int count) {
    for (int i = 0; i < count; ++i) {
        run.advance();
    }
}

TEST(SimulationOnRanks, IsBitwiseThatOfOneRank) {
    auto whole = BlockSimulation::start({}, small_blast());
    auto const blocks = whole.tree().size();
    steps(whole, 10);
    EXPECT_NE(whole.tree().size(), blocks) << "the tree should change";
    on_each_number_of_ranks([&](Communicator const& comm) {
        auto run = BlockSimulation::start(comm, small_blast());
        EXPECT_LT(run.block_count(), comm.size() > 1 ? run.tree().size() : run.tree().size() + 1);
        steps(run, 10);
        expect_same(run, whole);
        EXPECT_NE(run.outflow().energy, 0);
        EXPECT_EQ(run.outflow().mass, whole.outflow().mass);
        EXPECT_EQ(run.outflow().energy, whole.outflow().energy);
    });
}

using Kept = std::map<std::size_t, std::array<std::vector<double>, variables>>;

/// A run's blocks as a file would give them back: without the parents' values.
Kept leaves_of(BlockSimulation const& run) {
    Kept kept;
    for (auto const b : run.blocks().leaves()) {
        for (std::size_t v = 0; v < variables; ++v) {
            auto const values = run.interior(b, static_cast<GasVariable>(v));
            kept[b][v].assign(values.begin(), values.end());
        }
    }
    return kept;
}

TEST(SimulationOnRanks, ContinuesOnAnotherNumberOfRanksBitForBit) {
    auto whole = BlockSimulation::start({}, small_blast());
    steps(whole, 5);
    auto const kept = leaves_of(whole);
    auto const [tree, time, dt, step] = std::tuple(whole.tree(), whole.time(), whole.dt(), whole.step());
    steps(whole, 5);
    on_each_number_of_ranks([&](Communicator const& comm) {
        auto const set = [&](std::size_t b, std::array<std::span<double>, variables> const& values) {
            for (std::size_t v = 0; v < variables && kept.contains(b); ++v) {
                std::ranges::copy(kept.at(b)[v], values[v].begin());
            }
        };
        auto run = BlockSimulation::restore(comm, small_blast(), tree, time, dt, step, set);
        steps(run, 5);
        expect_same(run, whole);
    });
}

TEST(SimulationOnRanks, FailsOnAllRanksIfItFailsOnOne) {
    auto const world = Communicator::world();
    Tree const tree = bordered_tree({});
    SimulationSettings settings;
    settings.levels = 4;
    settings.gas.cfl = 1e3;  // a cell loses more than it has
    auto const set = [&](std::size_t b, std::array<std::span<double>, variables> const& values) {
        std::ranges::fill(values[density], 1.0);
        std::ranges::fill(values[pressure], 1.0);
        if (b + 1 == tree.size()) {
            values[velocity_x][0] = 1e3;
        }
    };
    auto run = BlockSimulation::restore(world, settings, tree, 0, 0, 41, set);
    auto const error = testing::error_of([&] { run.advance(1); });
    EXPECT_EQ(error.diagnosis().exit_code, ExitCode::cannot_run);
    EXPECT_NE(error.diagnosis().reason.find("in step 42"), std::string::npos);
}

}  // namespace
}  // namespace weir::flash
