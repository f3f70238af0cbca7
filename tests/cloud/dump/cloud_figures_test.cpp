#include "apps/cloud/dump/cloud_program.hpp"

#include <gtest/gtest.h>

#include "apps/small_case.hpp"
#include "core/json.hpp"

namespace weir::cloud {
namespace {

/// The paper's small case.
CloudFigures small_case() {
    CloudFigures run{{128, 128, 64}, {2, 2, 2}, true, {80, 0, {}}};
    run.before = run.after = GasTotals{2, {0, 0, 0}, 3, -1};
    run.after->mass = 2.5;
    return run;
}

Json details_of(CloudFigures const& cloud, RunFigures const& run) {
    Json details{{"io", account_of_files(run)}};
    cloud.complete(details, run);
    return details;
}

TEST(CloudFigures, AreThoseOfThePaper) {
    auto const details = details_of(small_case(), weir::small_case());
    EXPECT_EQ(details["io"]["communication_of_the_paper"], 5608);
    EXPECT_DOUBLE_EQ(details["totals"]["mass_drift"], 0.25);
    EXPECT_EQ(details["ended"], "steps");
    EXPECT_EQ(details["cycles"], 80);
    EXPECT_EQ(details["raised"], Json::parse(R"({"density": 0, "pressure": 0})"));
    EXPECT_TRUE(small_case().warnings().empty());
}

TEST(CloudFigures, AreRatesOfComputing) {
    auto const metrics = small_case().metrics(weir::small_case());
    ASSERT_EQ(metrics.size(), 2U);
    EXPECT_EQ(metrics[0].key, "compute_s");
    EXPECT_DOUBLE_EQ(*metrics[0].value, 8);
    EXPECT_EQ(metrics[1].key, "cell_updates_per_s");
    EXPECT_DOUBLE_EQ(*metrics[1].value, 128 * 128 * 64 * 20 / 8.0);
    RunFigures nothing_done;
    EXPECT_FALSE(small_case().metrics(nothing_done)[1].value) << "no time was spent in it";
}

TEST(CloudFigures, SayHowOftenFloorsRaisedTheGas) {
    auto run = small_case();
    run.effort.raised = {12, 3};
    EXPECT_EQ(details_of(run, weir::small_case())["raised"], Json::parse(R"({"density": 12, "pressure": 3})"));
    ASSERT_EQ(run.warnings().size(), 1U);
    EXPECT_EQ(run.warnings()[0]["code"], "floor");
    EXPECT_EQ(run.warnings()[0]["problem"], "floors raised densities 12 times and pressures 3 times");
}

TEST(CloudFigures, SayNullForWhatIsUnknown) {
    CloudFigures const none{{8, 8, 8}, {1, 1, 1}};
    auto const details = details_of(none, {});
    for (auto const* key : {"cycles", "raised", "totals", "io", "unresolved"}) {
        EXPECT_TRUE(details[key].is_null()) << key;
    }
    EXPECT_TRUE(none.metrics(weir::small_case()).empty()) << "nothing was computed";
    auto by_rank0 = weir::small_case();
    by_rank0.library = DumpMethod::rank0;
    EXPECT_TRUE(details_of(small_case(), by_rank0)["io"]["communication_of_the_paper"].is_null());
}

TEST(CloudFigures, SayWhereTheResolutionEnded) {
    auto run = small_case();
    run.unresolved = Unresolved{{9.5, 1.25, {3, 4, 5}}, 0.125, 17};
    run.effort.capped = 2;
    auto const details = details_of(run, weir::small_case());
    EXPECT_EQ(details["ended"], "resolution");
    EXPECT_EQ(details["unresolved"]["cell"], Json::parse("[3, 4, 5]"));
    EXPECT_EQ(details["unresolved"]["step"], 17);
    auto const warnings = run.warnings();
    ASSERT_EQ(warnings.size(), 2U);
    auto const problem = warnings[0]["problem"].get<std::string>();
    EXPECT_NE(problem.find("(3, 4, 5)"), std::string::npos);
    EXPECT_NE(problem.find("after step 17"), std::string::npos);
    EXPECT_EQ(warnings[1]["code"], "potential");
}

TEST(CommunicationOfThePaper, IsThatOfItsTables) {
    EXPECT_EQ(communication_of_the_paper({2, 2, 2}, 6 + 16 * 4, 1), 5608);
    EXPECT_EQ(communication_of_the_paper({4, 4, 4}, 6 + 16 * 1, 1), 109888);
}

}  // namespace
}  // namespace weir::cloud
