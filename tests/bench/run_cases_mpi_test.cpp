#include <gtest/gtest.h>

#include "bench/fake_benchmark.hpp"
#include "bench/run_cases.hpp"
#include "core/json.hpp"

namespace weir {
namespace {

using testing::fake;
using testing::story;
using Story = std::vector<std::string>;

struct RunCasesOnRanks : ::testing::Test {
    ExitCode run(std::vector<Case> cases) {
        file.cases = std::move(cases);
        return run_cases(file, comm, clock, sink);
    }

    Communicator const comm = Communicator::world();
    CaseFile file;
    MonotonicClock clock;
    MemoryLines sink;  ///< of every rank, so that they can be compared; weir-core keeps rank 0's
};

TEST_F(RunCasesOnRanks, GoOnTogetherAfterOneRanksFailure) {
    auto const last = comm.size() - 1;
    EXPECT_EQ(run({fake("a", {{"exit_code", 3}, {"failing_rank", last}}), fake("b")}), ExitCode::cannot_run);
    EXPECT_EQ(story(sink.lines), (Story{"begin a", "sample a", "failure a", "begin b", "sample b"}));
    EXPECT_EQ(sink.lines.at(4).at("rank"), last);
    EXPECT_EQ(sink.lines.at(4).at("exit_code"), 3);
    EXPECT_EQ(sink.lines.back().at("exit_code"), 3);
}

TEST_F(RunCasesOnRanks, StopTogetherWhenOneIsInterrupted) {
    auto const last = comm.size() - 1;
    EXPECT_EQ(run({fake("a", {{"exit_code", 130}, {"failing_rank", last}}), fake("b")}), ExitCode::interrupted);
    EXPECT_EQ(story(sink.lines), (Story{"begin a", "sample a", "failure a"}));
}

TEST_F(RunCasesOnRanks, FailTogetherOfAnUnknownBenchmark) {
    EXPECT_EQ(run({{"a", "storrage", Json::object(), 1}, fake("b")}), ExitCode::usage);
    EXPECT_EQ(story(sink.lines), (Story{"begin a", "failure a", "begin b", "sample b"}));
}

TEST_F(RunCasesOnRanks, TellOfEveryRank) {
    run({});
    EXPECT_EQ(sink.lines.at(0).at("ranks"), comm.size());
    EXPECT_EQ(sink.lines.at(0).at("placement").size(), comm.size());
}

TEST_F(RunCasesOnRanks, WarmTheirNodeTogether) {
    constexpr std::uint64_t all = 12 << 20;
    run({fake("a", {{"cached", all}})});
    EXPECT_EQ(sink.lines.at(0).at("first_touch").at("bytes"), all) << "all ranks are on this node";
}

}  // namespace
}  // namespace weir
