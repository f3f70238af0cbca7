#include "storage/engine/phase_result.hpp"

#include <gtest/gtest.h>

#include "support/json_part.hpp"

namespace weir {
namespace {

TEST(PhaseResult, AddsUpWhatRanksDidAndSpreadsTheirTimes) {
    PhaseResult result;
    result.name = "write";
    result.writes = true;
    result.runs = 1;
    result.elapsed_s = 4;
    result.ranks = {{.start_s = 10, .end_s = 12, .open_s = 0.5, .transfer_s = 1, .requests = 3, .bytes_written = 300},
                    {.start_s = 11, .end_s = 14, .open_s = 0.1, .transfer_s = 2, .requests = 1, .bytes_written = 100}};
    auto const json = to_json(result);
    testing::expect_part(
        json, Json::parse(R"({"elapsed_s": 4, "operations": 4, "first_done_s": 2, "last_done_s": 4, "bytes": 400,
        "times/open/slowest_rank": 0, "times/transfer/slowest_rank": 1, "times/transfer/mean_s": 1.5, "cache": null,
        "verification": null})"));
    EXPECT_FALSE(json["times"].contains("stamp"));
    result.runs = 2;
    EXPECT_TRUE(to_json(result)["first_done_s"].is_null()) << "of which run?";
}

TEST(PhaseResult, UnknownIsNullNotZero) {
    PhaseResult result;
    result.ranks = {{}};
    result.reads = true;
    auto const json = to_json(result);
    testing::expect_part(json, {{"cache/suspect", {}}, {"cache/device_bytes", {}}});
}

TEST(WrongWords, KeepTheFirstByFileOwnerAndOffset) {
    WrongWords sum;
    sum.add({.checked = 10});
    sum.add({.checked = 10, .wrong = 1, .file = 1, .owner = 0, .offset = 8, .found = 5});
    sum.add({.checked = 10, .wrong = 2, .file = 0, .owner = 3, .offset = 64, .found = 6});
    sum.add({.checked = 10, .wrong = 1, .file = 0, .owner = 3, .offset = 80, .found = 7});
    EXPECT_EQ(sum.checked, 40U);
    EXPECT_EQ(sum.wrong, 4U);
    EXPECT_EQ(sum.found, 6U);
}

TEST(RankTimes, TakeTheMedianOfReadsAndWrites) {
    ManualClock clock;
    Meter meter(clock, {Latencies::all, 0});
    meter.begin_access(16);
    for (auto const& [direction, seconds] :
         {std::pair{Direction::write, 1.0}, {Direction::read, 8.0}, {Direction::read, 8.0}}) {
        auto const began = meter.begin();
        clock.advance(Seconds{seconds});
        meter.end(began, direction, {0, 16, 0});
    }
    RankTimes times;
    times.add(meter);
    EXPECT_NEAR(times.median_s, 8, 0.5);
    EXPECT_EQ(times.requests, 3U);
    EXPECT_DOUBLE_EQ(times.slowest_write_s, 1);
    EXPECT_DOUBLE_EQ(times.slowest_read_s, 8);
}

}  // namespace
}  // namespace weir
