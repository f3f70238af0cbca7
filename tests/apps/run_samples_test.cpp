#include "apps/common/run/application_job.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "apps/small_case.hpp"
#include "core/json.hpp"
#include "support/json_part.hpp"

namespace weir {
namespace {

/// A program that computes nothing.
class Nothing final : public Program {
  public:
    void advance() override {}
    [[nodiscard]] Json labels() const override { return {{"cells", 3}}; }
    void complete(Json& details, RunFigures const& run) const override { details["seen"] = run.steps; }
    void fill(CurrentAccess const&, Operation const&, std::span<std::byte>) override {}
    void take(CurrentAccess const&, Operation const&, std::span<std::byte const>) override {}
};

TEST(SamplesOfARun, TellBandwidthByTheSlowestRank) {
    auto const write = write_sample(small_case(), Nothing(), 3);
    EXPECT_EQ(write.repetition, 3U);
    testing::expect_part(write.common,
                         Json::parse(R"({"phase": "write", "bytes": 218104384, "bytes_read": 0, "operations": 536,
        "calls/open/count": 192})"));
    EXPECT_FALSE(write.common["calls"].contains("seek")) << "it is counted, and no call is made";
    EXPECT_EQ(write.details, Json::parse(R"({"cells": 3, "method": "two-phase", "dumps": 4, "costs": null})"));
    EXPECT_EQ(write.metrics.front().key, "bandwidth_bytes_per_s");
    EXPECT_DOUBLE_EQ(*write.metrics.front().value, 218'104'384 / 2.0);
    auto const read = read_sample(small_case(), Nothing(), 0);
    EXPECT_EQ(read.common["bytes"], 25'165'848);
    EXPECT_EQ(read.common["ranks"], 8);
    EXPECT_DOUBLE_EQ(*read.metrics.front().value, 25'165'848 / 0.5);
}

TEST(SamplesOfARun, TellEachPartOfTheDumpsByItself) {
    auto const run = small_case();
    PartFigures part{"checkpoint", 0.5, {1000, 3}};
    part.made[IoCall::write] = {7, 1000, 0.25};
    part.costs.elapsed_s = 4;
    part.costs.files.resize(1);
    part.costs.files[0].name = "chk";
    part.costs.files[0].open_s = 1;
    auto const sample = part_sample(run, part, Nothing(), 1, IoCall::write);
    testing::expect_part(sample.common, Json::parse(R"({"phase": "checkpoint", "bytes": 1000, "bytes_written": 1000,
        "operations": 7, "elapsed_s": 0.5})"));
    EXPECT_DOUBLE_EQ(*sample.metrics.front().value, 2000);
    testing::expect_part(sample.details, Json::parse(R"({"costs/ranks_s": 4.0, "costs/other_s": 3.0})"));
    auto const has_size = [](Metric const& metric) { return metric.key == "file_bytes"; };
    EXPECT_TRUE(std::ranges::none_of(sample.metrics, has_size)) << "the size of no file is not 0";
    part.file_bytes = 1234;
    auto const sized = part_sample(run, part, Nothing(), 1, IoCall::write);
    EXPECT_DOUBLE_EQ(*std::ranges::find_if(sized.metrics, has_size)->value, 1234);
}

TEST(SamplesOfARun, CountAsThePaperDoes) {
    auto const run = run_sample(small_case(), Nothing(), 0);
    auto const& io = run.details["io"];
    testing::expect_part(io["calls"],
                         {{"open/count", 200}, {"open/total_s", 1.5}, {"seek/count", 1225}, {"seek/total_s", {}}});
    EXPECT_EQ(io["calls"]["communication"], Json::parse(R"({"count": 3368, "total_s": 6.0, "waiting_s": 4.5})"));
    EXPECT_FALSE(io["calls"]["open"].contains("waiting_s"));
    testing::expect_part(io, {{"write_sizes", Json::parse("[[24, 24], [131072, 128], [524288, 384]]")},
                              {"read_bandwidth_bytes_per_s", 25'165'848 / (4 / 8.0)},
                              {"write_bandwidth_bytes_per_s", 218'104'384 / (16 / 8.0)},
                              {"read_elapsed_s", 0.5},
                              {"write_elapsed_s", 2.0}});
    EXPECT_EQ(run.details["seen"], 20);
    EXPECT_EQ(run.metrics.front().key, "elapsed_s");
    EXPECT_EQ(run.metrics.front().better, Better::lower);
    EXPECT_DOUBLE_EQ(*run.metrics.front().value, 12);
}

TEST(SamplesOfARun, CountTheTimeOfDumpsThatReadToTheReads) {
    auto run = small_case();
    run.written[IoCall::read] = {3, 4096, 1};
    auto const io = run_sample(run, Nothing(), 0).details["io"];
    EXPECT_EQ(io["read_elapsed_s"], 0.5 + 2.0);
    EXPECT_EQ(io["write_elapsed_s"], 2.0);
}

TEST(SamplesOfARun, CountNoTimeOfDumpsWhoseReadsMovedNothing) {
    auto run = small_case();
    run.written[IoCall::read] = {3, 0, 1};
    EXPECT_EQ(run_sample(run, Nothing(), 0).details["io"]["read_elapsed_s"], 0.5);
}

TEST(SamplesOfARun, SayNullForWhatIsUnknown) {
    auto run = small_case();
    run.library.reset();
    auto const calls = run_sample(run, Nothing(), 0).details["io"]["calls"];
    EXPECT_TRUE(calls["seek"]["count"].is_null()) << "another back-end's are not seen";
    EXPECT_TRUE(calls["communication"]["count"].is_null());
    run.written = {};
    auto const untouched = write_sample(run, Nothing(), 0);
    EXPECT_TRUE(untouched.common["calls"].is_null()) << "it makes no calls";
    EXPECT_EQ(untouched.common["bytes"], 218'104'384);
    EXPECT_EQ(untouched.common["operations"], 64);
    EXPECT_EQ(untouched.details, Json::parse(R"({"cells": 3, "collective": true, "dumps": 4, "costs": null})"))
        << "the method is the library's";
    run.backend.clear();
    EXPECT_TRUE(run_sample(run, Nothing(), 0).details["io"].is_null()) << "it has no files";
    auto fresh = small_case();
    fresh.read = {};
    auto const unread = run_sample(fresh, Nothing(), 0).details["io"];
    EXPECT_TRUE(unread["read_bandwidth_bytes_per_s"].is_null());
    EXPECT_TRUE(unread["read_elapsed_s"].is_null());
}

}  // namespace
}  // namespace weir
