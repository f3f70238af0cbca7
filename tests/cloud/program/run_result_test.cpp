#include "apps/cloud/program/run_result.hpp"

#include <gtest/gtest.h>

namespace weir::cloud {
namespace {

/// The paper's small case, as its tables 1 and 2 count it.
RunResult small_case() {
    RunResult run;
    run.cells = {128, 128, 64};
    run.ranks = {2, 2, 2};
    run.steps = 20;
    run.dumps = 4;
    run.has_files = run.has_read = run.computes = true;
    run.effort = {80, 0, {}};
    run.elapsed_s = 12;
    run.read_s = 0.5;
    run.write_s = 2;
    run.compute_s = 8;
    run.log[IoCall::open] = {200, 0, 1.5};
    run.log[IoCall::read] = {49, 25'165'848, 4};
    run.log[IoCall::write] = {536, 218'104'384, 16};
    run.log[IoCall::seek] = {1225};
    run.log[IoCall::communication] = {3368, 0, 6};
    run.log.waiting_s = 4.5;
    run.log.read_sizes = {{24, 1}, {524288, 48}};
    run.log.write_sizes = {{24, 24}, {131072, 128}, {524288, 384}};
    run.before = run.after = Totals{2, {0, 0, 0}, 3, -1};
    run.after->mass = 2.5;
    return run;
}

TEST(CloudSamples, TellBandwidthByTheSlowestRank) {
    auto const write = write_sample(small_case(), 3);
    EXPECT_EQ(write.repetition, 3U);
    EXPECT_EQ(write.common["phase"], "write");
    EXPECT_EQ(write.common["bytes"], 218'104'384);
    EXPECT_EQ(write.common["bytes_read"], 0);
    EXPECT_EQ(write.common["operations"], 536);
    EXPECT_EQ(write.details["dumps"], 4);
    EXPECT_EQ(write.metrics.front().key, "bandwidth_bytes_per_s");
    EXPECT_DOUBLE_EQ(*write.metrics.front().value, 218'104'384 / 2.0);
    auto const read = read_sample(small_case(), 0);
    EXPECT_EQ(read.common["bytes"], 25'165'848);
    EXPECT_EQ(read.common["ranks"], 8);
    EXPECT_DOUBLE_EQ(*read.metrics.front().value, 25'165'848 / 0.5);
}

TEST(CloudSamples, CountAsThePaperDoes) {
    auto const run = run_sample(small_case(), 0);
    auto const& io = run.details["io"];
    EXPECT_EQ(io["calls"]["open"]["count"], 200);
    EXPECT_EQ(io["calls"]["open"]["total_s"], 1.5);
    EXPECT_EQ(io["calls"]["seek"]["count"], 1225);
    EXPECT_TRUE(io["calls"]["seek"]["total_s"].is_null());
    EXPECT_EQ(io["communication_of_the_paper"], 5608);
    EXPECT_EQ(io["calls"]["communication"], Json::parse(R"({"count": 3368, "total_s": 6.0, "waiting_s": 4.5})"));
    EXPECT_FALSE(io["calls"]["open"].contains("waiting_s"));
    EXPECT_EQ(io["write_sizes"], Json::parse("[[24, 24], [131072, 128], [524288, 384]]"));
    EXPECT_DOUBLE_EQ(io["read_bandwidth_bytes_per_s"], 25'165'848 / (4 / 8.0));
    EXPECT_DOUBLE_EQ(io["write_bandwidth_bytes_per_s"], 218'104'384 / (16 / 8.0));
    EXPECT_DOUBLE_EQ(run.details["totals"]["mass_drift"], 0.25);
    EXPECT_EQ(run.details["ended"], "steps");
    EXPECT_EQ(run.details["raised"], Json::parse(R"({"density": 0, "pressure": 0})"));
    EXPECT_TRUE(run.warnings.empty());
}

TEST(CloudSamples, AreTimesOfAWholeRun) {
    auto const metrics = run_sample(small_case(), 0).metrics;
    ASSERT_EQ(metrics.size(), 3U);
    EXPECT_EQ(metrics[0].key, "elapsed_s");
    EXPECT_EQ(metrics[0].better, Better::lower);
    EXPECT_DOUBLE_EQ(*metrics[0].value, 12);
    EXPECT_EQ(metrics[1].key, "compute_s");
    EXPECT_DOUBLE_EQ(*metrics[1].value, 8);
    EXPECT_EQ(metrics[2].key, "cell_updates_per_s");
    EXPECT_DOUBLE_EQ(*metrics[2].value, 128 * 128 * 64 * 20 / 8.0);
}

TEST(CloudSamples, SayHowOftenFloorsRaisedTheGas) {
    auto run = small_case();
    run.effort.raised = {12, 3};
    auto const sample = run_sample(run, 0);
    EXPECT_EQ(sample.details["raised"], Json::parse(R"({"density": 12, "pressure": 3})"));
    ASSERT_EQ(sample.warnings.size(), 1U);
    EXPECT_EQ(sample.warnings[0]["code"], "floor");
    EXPECT_EQ(sample.warnings[0]["problem"], "floors raised densities 12 times and pressures 3 times");
}

TEST(CloudSamples, SayNullForWhatIsUnknown) {
    RunResult run;
    run.cells = {8, 8, 8};
    run.ranks = {1, 1, 1};
    auto const sample = run_sample(run, 0);
    for (auto const* key : {"cycles", "raised", "totals", "io", "unresolved"}) {
        EXPECT_TRUE(sample.details[key].is_null()) << key;
    }
    EXPECT_EQ(sample.metrics.size(), 1U) << "nothing was computed";
    run.computes = true;
    EXPECT_FALSE(run_sample(run, 0).metrics[2].value) << "no time was spent in it";
    run.has_files = true;
    run.method = Method::rank0;
    auto const io = run_sample(run, 0).details["io"];
    EXPECT_TRUE(io["communication_of_the_paper"].is_null());
    EXPECT_TRUE(io["read_bandwidth_bytes_per_s"].is_null());
}

TEST(CloudSamples, SayWhereTheResolutionEnded) {
    auto run = small_case();
    run.unresolved = Unresolved{{9.5, 1.25, {3, 4, 5}}, 0.125, 17};
    run.effort.capped = 2;
    auto const sample = run_sample(run, 0);
    EXPECT_EQ(sample.details["ended"], "resolution");
    EXPECT_EQ(sample.details["unresolved"]["cell"], Json::parse("[3, 4, 5]"));
    EXPECT_EQ(sample.details["unresolved"]["step"], 17);
    ASSERT_EQ(sample.warnings.size(), 2U);
    auto const problem = sample.warnings[0]["problem"].get<std::string>();
    EXPECT_NE(problem.find("(3, 4, 5)"), std::string::npos);
    EXPECT_NE(problem.find("after step 17"), std::string::npos);
    EXPECT_EQ(sample.warnings[1]["code"], "potential");
}

TEST(CommunicationOfThePaper, IsThatOfItsTables) {
    EXPECT_EQ(communication_of_the_paper({2, 2, 2}, 6 + 16 * 4, 1), 5608);
    EXPECT_EQ(communication_of_the_paper({4, 4, 4}, 6 + 16 * 1, 1), 109888);
}

}  // namespace
}  // namespace weir::cloud
