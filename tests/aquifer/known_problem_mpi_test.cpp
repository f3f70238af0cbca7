// The flow beside solutions that are known, as a run with `problem` compares them.

#include "apps/aquifer/model/known_problem.hpp"

#include <gtest/gtest.h>

#include "apps/aquifer/model/model.hpp"
#include "support/failures/error_of.hpp"

namespace weir::aquifer {
namespace {

/// A run of a known problem in uniform ground.
struct KnownRun {
    Communicator comm = Communicator::world();
    KnownProblemKind kind;
    Scenario scenario;
    Block block;
    std::unique_ptr<Model> model;

    KnownRun(KnownProblemKind what, Box const& box, std::vector<Triple> const& well = {})
        : kind(what),
          scenario(scenario_of(what, box, 1, Retention::van_genuchten)),
          block(block_of(box, ranks_for(box.cells, comm.size()), comm.rank())) {
        if (!well.empty()) {
            scenario.put_well(well);
        }
        Ground const ground{std::vector(block.count(), scenario.conductivity), std::vector<std::size_t>(block.count())};
        model = make_model(comm, scenario, ground, {.choice = ModelChoice::flow});
    }

    std::optional<SolutionErrors> after(int steps, double seconds) {
        for (int step = 0; step < steps; ++step) {
            model->advance(seconds);
        }
        return compared(kind, scenario, block, {model->heads(), model->concentrations(0), model->time()}, comm);
    }
};

TEST(KnownProblem, AWellIsTheiss) {
    KnownRun run(KnownProblemKind::theis, {{64, 64, 1}, {10, 10, 5}}, {{32, 32, 0}});
    EXPECT_FALSE(run.after(0, 0)) << "it has not begun";
    auto const found = run.after(40, 40);
    ASSERT_TRUE(found);
    EXPECT_GT(found->cells, 4000U);
    auto const typical = 0.02 * 5;  // Q / (4 pi T)
    EXPECT_LT(found->largest_error, 0.05 * typical);
    EXPECT_LT(found->mean_error, found->largest_error);
    EXPECT_GT(found->mean_error, 0);
    EXPECT_FALSE(run.after(1, 40000)) << "the drawdown has reached the sides";
}

TEST(KnownProblem, AFrontIsOgatasAndBankss) {
    auto const error = [](Index n) {
        KnownRun run(KnownProblemKind::ogata_banks, {{n, 2, 2}, {10.0 / static_cast<double>(n), 1, 1}});
        return run.after(static_cast<int>(n / 2), 10 * 86400 / static_cast<double>(n / 2)).value();
    };
    auto const coarse = error(40);
    auto const fine = error(80);
    EXPECT_EQ(fine.cells, 80U * 4);
    EXPECT_LT(fine.mean_error, 2.5e-2);
    EXPECT_LT(fine.mean_error, 0.65 * coarse.mean_error) << "first order";
}

TEST(KnownProblem, RainIsGardners) {
    auto const error = [](Index n) {
        KnownRun run(KnownProblemKind::infiltration, {{2, 2, n}, {1, 1, 2.0 / static_cast<double>(n)}});
        return run.after(40, 86400).value();
    };
    auto const coarse = error(32);
    EXPECT_LT(coarse.largest_error, 3e-4);
    EXPECT_NEAR(error(64).largest_error / coarse.largest_error, 0.25, 0.03) << "second order";
}

TEST(KnownProblem, HasOneSpecies) {
    auto const error = testing::error_of([] {
        scenario_of(KnownProblemKind::theis, {{4, 4, 4}, {1, 1, 1}}, 2, Retention::exponential);
    });
    EXPECT_EQ(error.diagnosis().exit_code, ExitCode::usage);
}

}  // namespace
}  // namespace weir::aquifer
