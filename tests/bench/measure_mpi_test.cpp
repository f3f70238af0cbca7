#include "bench/measure.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"
#include "core/interrupt.hpp"
#include "core/json.hpp"
#include "support/failures/error_of.hpp"

namespace weir {
namespace {

struct MeasureOnRanks : ::testing::Test {
    /// The slower, the higher the rank.
    void work() { clock.advance(Seconds{static_cast<double>(comm.rank() + 1)}); }

    Communicator const comm = Communicator::world();
    ManualClock clock;
    MemoryLines lines;
    JobContext context{comm, clock, lines, "c", "b"};
    TimedPhase const phase{
        "p", [this] { work(); },
        [](double took_s) {
            return std::vector<Metric>{{"took_s", took_s, "s", "time", Better::lower, OverRanks::sum}};
        }};
};

TEST_F(MeasureOnRanks, WritesOneSampleOfAllRanks) {
    measure(context, {2}, phase);
    ASSERT_EQ(lines.lines.size(), 1U);
    auto const& line = lines.lines.front();
    auto const size = static_cast<double>(comm.size());
    EXPECT_EQ(line["schema"], 2);
    EXPECT_EQ(line["kind"], "sample");
    EXPECT_EQ(line["case"], "c");
    EXPECT_EQ(line["benchmark"], "b");
    EXPECT_EQ(line["repetition"], 2);
    EXPECT_EQ(line["phase"], "p");
    EXPECT_EQ(line["ranks"], comm.size());
    EXPECT_DOUBLE_EQ(line["elapsed_s"], size) << "that of the slowest rank";
    EXPECT_DOUBLE_EQ(line["metrics"][0]["value"], size * (size + 1) / 2);
    EXPECT_EQ(line["details"], Json::object());
    EXPECT_EQ(line["warnings"], Json::array());
}

TEST_F(MeasureOnRanks, WritesNothingInWarmUp) {
    measure(context, {}, phase);
    EXPECT_TRUE(lines.lines.empty());
    EXPECT_DOUBLE_EQ(clock.now_s(), static_cast<double>(comm.rank() + 1)) << "the work is done all the same";
}

TEST_F(MeasureOnRanks, ThrowsOnAllWhatOneThrows) {
    TimedPhase const failing{"p",
                             [this] {
                                 if (comm.is_root()) {
                                     throw Error({"no", "why", "advice", ExitCode::cannot_run});
                                 }
                             },
                             phase.metrics};
    EXPECT_THROW(measure(context, {0}, failing), Error);
    EXPECT_TRUE(lines.lines.empty());
}

TEST_F(MeasureOnRanks, StopsAllWhereOneIsInterrupted) {
    stop_requested = comm.rank() + 1 == comm.size();
    auto const error = testing::error_of([&] { measure(context, {0}, phase); });
    EXPECT_EQ(error.diagnosis().exit_code, ExitCode::interrupted);
    stop_requested = false;
    EXPECT_EQ(clock.now_s(), 0) << "nothing was begun";
    comm.barrier();
}

}  // namespace
}  // namespace weir
