#include <gtest/gtest.h>

#include <set>

#include "bench/run_cases.hpp"

namespace weir {
namespace {

/// The template is to be copied, so it must be right: a sample a phase and repetition, with every kind of metric.
TEST(TemplateBenchmark, GivesASampleAPhaseOfAllRanks) {
    auto const comm = Communicator::world();
    MonotonicClock clock;
    MemoryLines lines;
    CaseFile file;
    file.warm_memory_bytes = 0;
    file.cases = {
        {"c", "template", {{"numbers", 100}, {"sweeps", 2}, {"updates", 10}, {"meetings", 3}, {"repetitions", 2}}}};
    EXPECT_EQ(run_cases(file, comm, clock, lines), ExitCode::fine);
    std::set<std::string> keys;
    std::uint64_t samples = 0;
    for (auto const& line : lines.lines) {
        if (line["kind"] == "sample") {
            ++samples;
            EXPECT_EQ(line["benchmark"], "template");
            for (auto const& metric : line["metrics"]) {
                keys.insert(metric["key"]);
                EXPECT_GT(metric["value"], 0.0) << metric;
                if (metric["key"] == "numbers") {
                    EXPECT_EQ(metric["value"], 200.0 * static_cast<double>(comm.size()));
                }
            }
        }
    }
    EXPECT_EQ(samples, 3U * 2U);
    EXPECT_EQ(keys, (std::set<std::string>{"flop_per_s", "meeting_us", "numbers", "updates_per_s"}));
}

}  // namespace
}  // namespace weir
