#include "bench/case_file.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"
#include "core/json.hpp"
#include "support/failures/error_of.hpp"

namespace weir {
namespace {

/// The message of what is refused; empty if nothing is.
std::string refusal(std::string const& text) {
    auto const said = testing::refusal_of(ExitCode::usage, [&] { case_file_from_json(text); });
    EXPECT_EQ(said.problem.empty(), said.suggestion.empty());
    return Error(said).what();
}

TEST(CaseFile, ReadsAllThatTheProtocolHas) {
    auto const file = case_file_from_json(R"({"schema": 1,
        "expect": {"ranks": 2, "nodes": 1, "binding": "socket"}, "warm_memory_bytes": 4096, "stall_limit_s": 7.5,
        "probe_state": false,
        "fresh": true,
        "cases": [{"id": "a", "benchmark": "storage", "options": {"block": 8}, "ranks": 8},
                  {"id": "a", "benchmark": "storage"}]})");
    EXPECT_EQ(file.expectation.ranks, 2U);
    EXPECT_EQ(file.expectation.nodes, 1U);
    EXPECT_EQ(file.expectation.binding, Binding::socket);
    EXPECT_EQ(file.warm_memory_bytes, 4096U);
    EXPECT_EQ(file.stall_limit, Seconds{7.5});
    EXPECT_FALSE(file.probe_state);
    EXPECT_TRUE(file.fresh);
    ASSERT_EQ(file.cases.size(), 2U) << "the same case may stand there several times";
    EXPECT_EQ(file.cases[0].id, "a");
    EXPECT_EQ(file.cases[0].benchmark, "storage");
    EXPECT_EQ(file.cases[0].options, (Json{{"block", 8}}));
    EXPECT_EQ(file.cases[0].ranks, 8U);
}

TEST(CaseFile, ExpectsNothingThatIsNotSaid) {
    auto const file = case_file_from_json(R"({"schema": 1, "cases": [{"id": "a", "benchmark": "b"}]})");
    EXPECT_EQ(file.expectation.ranks, std::nullopt);
    EXPECT_EQ(file.expectation.nodes, std::nullopt);
    EXPECT_EQ(file.expectation.binding, Binding::any);
    EXPECT_EQ(file.warm_memory_bytes, std::nullopt);
    EXPECT_EQ(file.stall_limit, std::nullopt);
    EXPECT_TRUE(file.probe_state);
    EXPECT_FALSE(file.fresh);
    EXPECT_EQ(file.cases.at(0).options, Json::object());
    EXPECT_EQ(file.cases.at(0).ranks, 1U);
}

TEST(CaseFile, ToldToWarmNothingDiffersFromNotTold) {
    EXPECT_EQ(case_file_from_json(R"({"schema": 1, "warm_memory_bytes": 0, "cases": []})").warm_memory_bytes, 0U);
}

TEST(CaseFile, RefusesWhatIsUnknownOrMissingWithItsPlace) {
    for (auto const& [text, words] : std::map<std::string, char const*>{
             {R"({"schema": 1, "cases": [], "case": 1})", "'case' in the case file"},
             {R"({"schema": 1, "cases": [], "expect": {"rank": 1}})", "'rank' in expect"},
             {R"({"schema": 1, "cases": [{"id": "a", "benchmark": "b"}, {"id": "a", "benchmark": "b", "option": {}}]})",
              "'option' in cases[1]"},
             {R"({"cases": []})", "'schema' is missing"},
             {R"({"schema": 1})", "'cases' is missing"},
             {R"({"schema": 1, "cases": [{"benchmark": "b"}]})", "'id' is missing in cases[0]"},
             {R"({"schema": 1, "cases": [{"id": "a"}]})", "'benchmark' is missing in cases[0]"},
             {R"({"schema": 2, "cases": []})", "has schema 2"},
             {"{", "not JSON"},
             {"", "not JSON"},
         }) {
        EXPECT_TRUE(testing::has(refusal(text), words)) << text;
    }
}

TEST(CaseFile, RefusesWrongTypesAndWords) {
    for (auto const* text : {
             R"([])",
             R"({"schema": "1", "cases": []})",
             R"({"schema": 1, "cases": {}})",
             R"({"schema": 1, "cases": ["storage"]})",
             R"({"schema": 1, "cases": [{"id": 1, "benchmark": "b"}]})",
             R"({"schema": 1, "cases": [{"id": "a", "benchmark": "b", "ranks": -1}]})",
             R"({"schema": 1, "cases": [], "warm_memory_bytes": "1MiB"})",
             R"({"schema": 1, "cases": [], "expect": 2})",
             R"({"schema": 1, "cases": [], "expect": {"ranks": 1.5}})",
             R"({"schema": 1, "cases": [], "expect": {"binding": "numa"}})",
         }) {
        EXPECT_NE(refusal(text), "") << text;
    }
}

}  // namespace
}  // namespace weir
