#include "apps/aquifer/flow/flow_model.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "aquifer/small_aquifer.hpp"
#include "core/interrupt.hpp"
#include "support/failures/error_of.hpp"

namespace weir::aquifer {
namespace {

constexpr double day = 86400;
Triple const some{12, 10, 8};

/// A model of this scenario on these ranks, as programs get it.
struct OnRanks {
    Block block;
    std::unique_ptr<Model> model;

    OnRanks(Communicator const& comm, Scenario const& scenario, double sigma = 1)
        : block(block_of(scenario.box, ranks_for(scenario.box.cells, comm.size()), comm.rank())),
          model(make_model(comm, scenario, random_ground(scenario, block, sigma), {.choice = ModelChoice::flow})) {}
};

std::vector<double> copied(std::span<double const> values) { return {values.begin(), values.end()}; }

/// The largest difference of a field from that of one rank.
double difference(OnRanks const& shared, std::span<double const> own, OnRanks const& alone,
                  std::span<double const> all) {
    double largest = 0;
    auto const& n = shared.block.cells;
    shared.block.each_cell([&](std::size_t i, std::size_t) {
        auto const at = static_cast<Index>(i);
        auto const there =
            *alone.block.own({shared.block.start[0] + at % n[0], shared.block.start[1] + at / n[0] % n[1],
                              shared.block.start[2] + at / n[0] / n[1]});
        largest = std::max(largest, std::abs(own[i] - all[there]));
    });
    return largest;
}

/// Newton's iterations end where what is missing is lost in the water that moves and is stored, 1e-12 of it, at other
/// digits for each way to precondition. Measured: 6e-12 m, 3e-12 M and 4e-17 m/s; a hundred times that is allowed.
TEST(FlowModelOnRanks, IsThatOfOneRank) {
    auto const scenario = small_aquifer(some, 2);
    OnRanks const alone({}, scenario);
    OnRanks const shared(Communicator::world(), scenario);
    for (int step = 0; step < 3; ++step) {
        alone.model->advance(day);
        shared.model->advance(day);
    }
    EXPECT_EQ(shared.model->kind(), ModelKind::flow);
    EXPECT_LT(difference(shared, shared.model->heads(), alone, alone.model->heads()), 1e-9);
    EXPECT_LT(difference(shared, shared.model->saturation(), alone, alone.model->saturation()), 1e-9);
    for (std::size_t species = 0; species < 2; ++species) {
        EXPECT_LT(
            difference(shared, shared.model->concentrations(species), alone, alone.model->concentrations(species)),
            1e-8);
    }
    for (std::size_t axis = 0; axis < axes; ++axis) {
        EXPECT_LT(difference(shared, shared.model->velocity(axis), alone, alone.model->velocity(axis)), 1e-14);
    }
}

TEST(FlowModelOnRanks, ConservesWaterAndSpecies) {
    for (auto const retention : {Retention::van_genuchten, Retention::exponential}) {
        OnRanks const run(Communicator::world(), small_aquifer({8, 6, 8}, 3, retention));
        for (int step = 0; step < 5; ++step) {
            run.model->advance(day);
            auto const [driest, wettest] = std::ranges::minmax(run.model->saturation());
            EXPECT_GT(driest, 0);
            EXPECT_LE(wettest, 1);
        }
        auto const& figures = run.model->figures();
        EXPECT_EQ(figures.steps, 5);
        EXPECT_EQ(figures.cuts, 0);
        EXPECT_LT(figures.newton, 30) << "a few a step";
        EXPECT_GT(figures.krylov, figures.newton);
        EXPECT_LT(figures.worst_water_error.value(), 1e-10);
        EXPECT_LT(figures.worst_species_error.value(), 1e-10);
        EXPECT_EQ(run.model->time(), 5 * day);
        auto const world = Communicator::world();
        auto const driest = world.max(1 - std::ranges::min(run.model->saturation()));
        EXPECT_GT(driest, 0.3) << "there is soil above the water table";
    }
}

TEST(FlowModelOnRanks, WaterFlowsEastAndTheTracerWithIt) {
    auto const world = Communicator::world();
    auto scenario = small_aquifer(some, 1);
    scenario.flow.wells.clear();
    OnRanks const run(world, scenario, 0);  // of one conductivity
    auto const velocity = copied(run.model->velocity(0));
    EXPECT_NEAR(std::ranges::max(velocity) / (1e-4 * 2 / 120), 1, 0.2) << "before the first step already";
    double before = 0;
    double after = 0;
    auto const place = [&] {  // of the tracer, in cells from the west
        std::uint64_t amount = 0;
        std::uint64_t moment = 0;
        run.block.each_cell([&](std::size_t own, std::size_t) {
            auto const c = run.model->concentrations(0)[own];
            auto const x = static_cast<double>(run.block.start[0] + static_cast<Index>(own) % run.block.cells[0]);
            amount += static_cast<std::uint64_t>(1e9 * c);
            moment += static_cast<std::uint64_t>(1e9 * c * x);
        });
        return static_cast<double>(world.sum(moment)) / static_cast<double>(world.sum(amount));
    };
    before = place();
    for (int step = 0; step < 10; ++step) {
        run.model->advance(day);
    }
    after = place();
    auto const expected = 10 * day * 1e-4 * 2 / 120 / 0.3 / 1.25 / 10;
    EXPECT_EQ(before, 4);
    EXPECT_NEAR(after - before, expected, 0.3 * expected);
}

/// Soil that fills suddenly: a step of six hours is too much for Newton's method.
Scenario hard_one() {
    auto scenario = small_aquifer({4, 4, 8});
    auto& soil = scenario.flow.soils.front();
    soil.alpha = 8;
    soil.n = 6;
    scenario.driest = -30;
    scenario.flow.sides[5].value = 2e-5;
    return scenario;
}

TEST(FlowModelOnRanks, StepsThatDoNotConvergeAreCut) {
    OnRanks const run(Communicator::world(), hard_one());
    run.model->advance(0.25 * day);
    auto const& figures = run.model->figures();
    EXPECT_GT(figures.cuts, 0);
    EXPECT_GT(figures.steps, 1);
    EXPECT_EQ(run.model->time(), 0.25 * day);
    EXPECT_LT(figures.worst_water_error.value(), 1e-10);
    EXPECT_LT(figures.worst_species_error.value(), 1e-10);
}

TEST(FlowModelOnRanks, WhatCannotConvergeIsSaidOnAllRanksAndChangesNothing) {
    auto scenario = small_aquifer({4, 4, 8});
    scenario.flow.wells = {{{2, 2, 7}, -10}};  // far more than there is
    scenario.most_halvings = 3;
    OnRanks const run(Communicator::world(), scenario);
    auto const heads = copied(run.model->heads());
    auto const concentrations = copied(run.model->concentrations(0));
    auto const error = testing::error_of([&] { run.model->advance(30 * day); });
    EXPECT_EQ(error.diagnosis().exit_code, ExitCode::cannot_run);
    EXPECT_STREQ(
        error.what(),
        "the groundwater's flow does not converge at 0 s (Newton's iterations fail with a step of 324000 s too, "
        "1/8 of what was wanted). Take shorter time steps, less water out of wells, or conductivities that "
        "differ less.");
    EXPECT_EQ(copied(run.model->heads()), heads);
    EXPECT_EQ(copied(run.model->concentrations(0)), concentrations);
    EXPECT_EQ(run.model->time(), 0);
    EXPECT_EQ(run.model->figures().cuts, 4);
    EXPECT_EQ(run.model->figures().steps, 0);
}

/// A signal comes to one rank first.
TEST(FlowModelOnRanks, AStopEndsItBetweenSteps) {
    auto const world = Communicator::world();
    OnRanks const run(world, hard_one());
    stop_requested = world.rank() + 1 == world.size();
    auto const error = testing::error_of([&] { run.model->advance(0.25 * day); });
    stop_requested = false;
    EXPECT_EQ(error.diagnosis().exit_code, ExitCode::interrupted);
    EXPECT_GT(run.model->time(), 0);
    EXPECT_LT(run.model->time(), 0.25 * day);
}

}  // namespace
}  // namespace weir::aquifer
