#include "apps/common/run/application_job.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "apps/cloud/dump/cloud_application.hpp"
#include "apps/cloud/dump/header.hpp"
#include "pattern/pattern_json.hpp"
#include "support/failures/error_of.hpp"
#include "support/temporary_directory.hpp"

namespace weir {
namespace {

struct JobOfACloud : ::testing::Test {
    JobOfACloud() { job.declare(set); }

    [[nodiscard]] Pattern pattern(std::uint64_t ranks) { return pattern_from_json(job.describe(ranks)["pattern"]); }
    [[nodiscard]] std::string refusal() {
        return testing::refusal_of(ExitCode::usage, [&] { static_cast<void>(job.describe(8)); }).problem;
    }

    /// A restart of these cells, without data.
    void write_restart(Triple const& cells, Index step) const {
        auto const reals = cloud::to_reals({cells, step, 0.5F, 1.1F});
        std::ofstream(restart, std::ios::binary).write(reinterpret_cast<char const*>(reals.data()), sizeof reals);
        std::filesystem::resize_file(restart, cloud::restart_bytes(cells));
    }

    testing::TemporaryDirectory folder;
    std::string const restart = (folder.path() / "restart").string();
    ApplicationJob job{std::make_unique<cloud::CloudApplication>()};
    OptionSet set;
};

TEST_F(JobOfACloud, TakesTheRanksAskedForWithoutALaunch) {
    set.set("emit_pattern", true);
    EXPECT_EQ((*job.document({}))["ranks"], 1);
    set.set("ranks_along", "4x4x4");
    EXPECT_EQ((*job.document({}))["ranks"], 64);
    EXPECT_THROW(static_cast<void>(job.document(8)), Error);
}

TEST_F(JobOfACloud, ChoosesRanksAsARunDoes) {
    EXPECT_EQ(pattern(8).ranks, 8U);
    EXPECT_THROW(static_cast<void>(job.describe(7)), Error);
}

TEST_F(JobOfACloud, KnowsTheCacheThatTheFilesOfItsFirstDumpFill) {
    set.set("restarted", true);
    EXPECT_EQ(job.cache_fill(8).bytes, 2 * 25'165'848U + 4 * 1'048'600U);
    set.set("dump_every", 21);
    EXPECT_EQ(job.cache_fill(8).bytes, 25'165'848U);
    set.set("restarted", false);
    set.set("dump_every", 0);
    EXPECT_EQ(job.cache_fill(8).bytes, 0U);
}

TEST_F(JobOfACloud, GoesOnFromTheStepOfARestart) {
    set.set("restart", restart);
    EXPECT_EQ(refusal(), restart + " cannot be opened");
    write_restart({128, 128, 64}, 15);
    auto const of_run = pattern(8);
    EXPECT_EQ(of_run.phases.front().name, "restart");
    EXPECT_EQ(of_run.files[2].name, "analysis-000020");
    set.set("restarted", true);
    EXPECT_EQ(refusal(), "restart and restarted contradict each other");
}

TEST_F(JobOfACloud, RefusesMoreDumpsThanAPatternCanName) {
    set.set("steps", 20'000);
    set.set("dump_every", 1);
    EXPECT_EQ(pattern(8).files.size(), 2 + 5 * 20'000U);
    set.set("steps", std::uint64_t{1} << 39);
    EXPECT_EQ(refusal(), "549755813888 dumps are too many");
}

TEST_F(JobOfACloud, RefusesOptionsOfBackEndsThatItsArraysContradict) {
    set.set("backend", "posix");
    set.set("direct", true);
    EXPECT_EQ(refusal(), "direct contradicts array 'header' of 'restart'");
    set.set("dump_every", 0);
    EXPECT_EQ(refusal(), "") << "it has no files";
}

TEST_F(JobOfACloud, RefusesStepsThatNoDumpCanTell) {
    set.set("restart", restart);
    write_restart({128, 128, 64}, (1 << 24) - 20);
    EXPECT_EQ(refusal(), "");
    set.set("steps", 21);
    EXPECT_EQ(refusal(), "no dump can represent step 16777217");
    set.set("dump_every", 0);
    EXPECT_EQ(refusal(), "");
}

TEST_F(JobOfACloud, AsksForArraysThroughAnyOtherBackendThanTheLibrary) {
    set.set("dump_every", 20);
    // Opens and accesses that all ranks make together.
    auto const together = [&] {
        auto const of_run = pattern(8);
        auto const& repeat = std::get<Repeat>(of_run.phases.front().steps.front());
        std::pair<int, int> count;
        for (auto const& step : repeat.steps) {
            auto const* open = std::get_if<Open>(&step);
            auto const* access = std::get_if<Access>(&step);
            count.first += open != nullptr && open->collective ? 1 : 0;
            count.second += access != nullptr && access->collective ? 1 : 0;
        }
        return count;
    };
    EXPECT_EQ(together(), std::pair(0, 0)) << "what the library makes of them is known";
    set.set("backend", "mpiio");
    EXPECT_EQ(together(), std::pair(6, 16));
    set.set("method", "independent");
    EXPECT_EQ(together(), std::pair(0, 0));
    set.set("method", "rank0");
    EXPECT_EQ(refusal(), "method = rank0 contradicts backend = mpiio");
}

}  // namespace
}  // namespace weir
