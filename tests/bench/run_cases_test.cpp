#include "bench/run_cases.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>

#include "bench/fake_benchmark.hpp"
#include "core/error.hpp"
#include "core/json.hpp"

namespace weir {
namespace {

using testing::fake;
using testing::story;
using Story = std::vector<std::string>;

struct RunCases : ::testing::Test {
    ExitCode run(std::vector<Case> cases) {
        file.cases = std::move(cases);
        return run_cases(file, Communicator(), clock, sink);
    }
    [[nodiscard]] Json const& line(std::size_t i) const { return sink.lines.at(i); }
    [[nodiscard]] Story kinds() const {
        Story found;
        std::ranges::transform(sink.lines, std::back_inserter(found), [](auto const& one) { return one.at("kind"); });
        return found;
    }

    CaseFile file;
    ManualClock clock;
    MemoryLines sink;
};

using DescribeCases = RunCases;

TEST_F(RunCases, WritesTheLinesOfTheProtocol) {
    EXPECT_EQ(run({fake("a"), fake("b")}), ExitCode::fine);
    ASSERT_EQ(sink.lines.size(), 8U);
    for (auto const& one : sink.lines) {
        EXPECT_EQ(one.at("schema"), 1);
    }
    EXPECT_EQ(line(0).at("kind"), "launch");
    EXPECT_EQ(line(2), (Json{{"schema", 1}, {"kind", "begin"}, {"case", "a"}}));
    EXPECT_EQ(story(sink.lines), (Story{"begin a", "sample a", "begin b", "sample b"}));
    EXPECT_EQ(line(7), (Json{{"schema", 1}, {"kind", "end"}, {"exit_code", 0}}));
}

TEST_F(RunCases, TellsTheMachinesStateBeforeTheFirstCaseAndAfterEach) {
    run({fake("a", {{"lasts", 0.2}}), fake("b", {{"lasts", 0.2}, {"exit_code", 3}}), fake("c", {{"exit_code", 130}})});
    EXPECT_EQ(kinds(), (Story{"launch", "state", "begin", "sample", "state", "begin", "sample", "failure", "state",
                              "begin", "sample", "failure", "end"}));
}

TEST_F(RunCases, TellsTheMachinesStateOnceForShortCases) {
    auto const cases = [](double lasts) {
        return std::vector{fake("a", {{"lasts", lasts}}), fake("b", {{"lasts", lasts}}), fake("c", {{"lasts", lasts}})};
    };
    run(cases(0.06));
    EXPECT_EQ(kinds(), (Story{"launch", "state", "begin", "sample", "begin", "sample", "state", "begin", "sample",
                              "state", "end"}));
    sink.lines.clear();
    run(cases(0.01));
    EXPECT_EQ(kinds(),
              (Story{"launch", "state", "begin", "sample", "begin", "sample", "begin", "sample", "state", "end"}));
}

TEST_F(RunCases, TellsNoStateIfNotAskedTo) {
    file.probe_state = false;
    run({fake("a")});
    EXPECT_TRUE(std::ranges::none_of(sink.lines, [](auto const& one) { return one.at("kind") == "state"; }));
}

TEST_F(RunCases, TellsHowItWasLaunched) {
    run({});
    for (auto const* key : {"version", "started_at", "ranks", "nodes", "placement", "mpi", "environment", "load",
                            "first_touch", "warnings"}) {
        EXPECT_TRUE(line(0).contains(key)) << key;
    }
    EXPECT_EQ(line(0).at("ranks"), 1);
    EXPECT_TRUE(line(0).at("first_touch").is_null()) << "no case caches anything";
}

TEST_F(RunCases, RefusesRanksThatAreOnOtherNodesThanAsked) {
    file.expectation.nodes = 2;
    EXPECT_THROW(run({fake("a")}), Error);
    EXPECT_TRUE(sink.lines.empty());
}

TEST_F(RunCases, GoesOnAfterAFailure) {
    EXPECT_EQ(run({fake("a", {{"exit_code", 3}}), fake("b")}), ExitCode::cannot_run);
    EXPECT_EQ(story(sink.lines), (Story{"begin a", "sample a", "failure a", "begin b", "sample b"}));
    EXPECT_EQ(line(4), (Json{{"schema", 1},
                             {"kind", "failure"},
                             {"case", "a"},
                             {"benchmark", "fake"},
                             {"exit_code", 3},
                             {"problem", "it failed"},
                             {"reason", "it was told to"},
                             {"suggestion", "Tell it otherwise."},
                             {"rank", 0},
                             {"host", nullptr},
                             {"wrong_words", nullptr}}));
    EXPECT_EQ(sink.lines.back().at("exit_code"), 3);
}

TEST_F(RunCases, EndsWithTheWorstExitCode) {
    EXPECT_EQ(run({fake("a", {{"exit_code", 3}}), fake("b", {{"exit_code", 4}}), fake("c", {{"exit_code", 2}})}),
              ExitCode::wrong_data);
    EXPECT_EQ(sink.lines.back().at("exit_code"), 4);
}

TEST_F(RunCases, StopsWhenInterrupted) {
    EXPECT_EQ(run({fake("a"), fake("b", {{"exit_code", 130}}), fake("c")}), ExitCode::interrupted);
    EXPECT_EQ(story(sink.lines), (Story{"begin a", "sample a", "begin b", "sample b", "failure b"}));
    EXPECT_EQ(sink.lines.back(), (Json{{"schema", 1}, {"kind", "end"}, {"exit_code", 130}}));
}

TEST_F(RunCases, FailsAnUnknownBenchmarkAndGoesOn) {
    EXPECT_EQ(run({{"a", "storrage", Json::object(), 1}, fake("b")}), ExitCode::usage);
    EXPECT_EQ(story(sink.lines), (Story{"begin a", "failure a", "begin b", "sample b"}));
    EXPECT_EQ(line(3).at("exit_code"), 2);
    EXPECT_EQ(line(3).at("benchmark"), "storrage");
    EXPECT_NE(line(3).at("problem").get<std::string>().find("'storrage'"), std::string::npos);
    EXPECT_TRUE(line(3).at("rank").is_null());
}

TEST_F(RunCases, FailsAnUnknownOption) {
    EXPECT_EQ(run({fake("a", {{"exitcode", 3}})}), ExitCode::usage);
    EXPECT_EQ(story(sink.lines), (Story{"begin a", "failure a"}));
}

TEST_F(RunCases, WarmsAsMuchAsTheGreediestCaseCaches) {
    run({fake("a", {{"cached", 65536}}), fake("b", {{"cached", 131072}}), {"c", "unknown", Json::object(), 1}});
    EXPECT_EQ(line(0).at("first_touch").at("bytes"), 131072);
}

TEST_F(RunCases, WarmsWhatTheFileSays) {
    file.warm_memory_bytes = 8192;
    run({fake("a", {{"cached", 65536}})});
    EXPECT_EQ(line(0).at("first_touch").at("bytes"), 8192);
}

TEST_F(RunCases, WarmsNothingIfToldSo) {
    file.warm_memory_bytes = 0;
    run({fake("a", {{"cached", 65536}})});
    EXPECT_TRUE(line(0).at("first_touch").is_null());
}

TEST_F(DescribeCases, RunsNothing) {
    file.cases = {fake("a"), {"b", "fake", Json::object(), 8}};
    EXPECT_EQ(describe_cases(file, sink), ExitCode::fine);
    ASSERT_EQ(sink.lines.size(), 2U);
    EXPECT_EQ(
        line(1),
        (Json{{"schema", 1}, {"kind", "description"}, {"case", "b"}, {"ranks", 8}, {"totals", {{"operations", 8}}}}));
}

TEST_F(DescribeCases, TellsOfAContradictionAndGoesOn) {
    file.cases = {fake("a", {{"contradicts", true}}), {"b", "storrage", Json::object(), 1}, fake("c")};
    EXPECT_EQ(describe_cases(file, sink), ExitCode::usage);
    ASSERT_EQ(sink.lines.size(), 3U);
    EXPECT_EQ(line(0).at("kind"), "failure");
    EXPECT_EQ(line(0).at("exit_code"), 2);
    EXPECT_EQ(line(0).at("problem"), "it contradicts itself");
    EXPECT_EQ(line(1).at("kind"), "failure");
    EXPECT_EQ(line(2).at("kind"), "description");
}

TEST(FailureLine, OutsideAnyCaseHasNone) {
    auto const line = failure_line("", "", {"it failed", "", "", ExitCode::usage, {}, {}});
    EXPECT_TRUE(line.at("case").is_null());
    EXPECT_TRUE(line.at("benchmark").is_null());
    EXPECT_TRUE(line.at("reason").is_null());
    EXPECT_EQ(line.at("exit_code"), 2);
}

TEST(FailureLine, TakesDetails) {
    auto const line =
        failure_line("a", "fake", {"wrong", "", "", ExitCode::wrong_data, 1, R"({"wrong_words": {"count": 3}})"});
    EXPECT_EQ(line.at("wrong_words").at("count"), 3);
    EXPECT_EQ(line.at("rank"), 1);
}

}  // namespace
}  // namespace weir
