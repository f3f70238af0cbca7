#include "pattern/pattern_json.hpp"
#include "core/json.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"
#include "support/arrays/irregular.hpp"
#include "support/failures/error_of.hpp"
#include "support/patterns/patterns.hpp"
#include "support/temporary_directory.hpp"
#include "support/trials.hpp"

namespace weir {
namespace {

TEST(PatternJson, ReadsBackWhatItWrote) {
    testing::each_trial<std::mt19937>(200, 6, [&](std::mt19937& random) {
        auto pattern = make_pattern(testing::random_parameters(random));
        pattern.phases.front().steps.emplace_back(Compute{Seconds{0.25}});
        auto const text = to_json(pattern).dump();
        ASSERT_EQ(pattern_from_json(Json::parse(text)), pattern) << text;
    });
}

TEST(PatternJson, ReadsBackWhatIsSeldomAskedFor) {
    Parameters p;
    p.ranks = 2;
    p.segments = 3;
    p.datasets = DatasetUnit::segment;
    p.time_limit = Seconds{3};
    p.wear_out = true;
    p.tail_limit = Seconds{1.5};
    p.timed = Timed::transfer;
    auto pattern = make_pattern(p);
    for (auto const scaling : {Scaling::weak, Scaling::strong}) {
        pattern.scales = scaling;
        auto const again = pattern_from_json(Json::parse(to_json(pattern).dump()));
        EXPECT_EQ(again.scales, scaling);
        EXPECT_EQ(again.files, pattern.files);
        EXPECT_FALSE(again.phases.at(0).timed);
        EXPECT_EQ(again.phases.at(1).tail_limit.value, 1.5);
        EXPECT_EQ(again, pattern);
    }
}

TEST(PatternJson, ReadsBackWhyAPatternIsNotExact) {
    auto pattern = make_pattern({});
    EXPECT_FALSE(to_json(pattern).contains("inexact"));
    pattern.inexact = {"2 requests are taken as one piece each", "3 calls are not recorded"};
    EXPECT_EQ(pattern_from_json(Json::parse(to_json(pattern).dump())), pattern);
    auto json = to_json(pattern);
    json["inexact"] = {"a reason", 3};
    testing::expect_error(ExitCode::usage, "inexact[1] is no text", [&] { pattern_from_json(json); });
}

TEST(PatternJson, ReadsBackTheMemoryThatDataLieIn) {
    auto pattern = make_pattern({});
    EXPECT_FALSE(to_json(pattern).contains("memory"));
    pattern.memory = {1 << 20, 16};
    EXPECT_EQ(pattern_from_json(Json::parse(to_json(pattern).dump())), pattern);
    auto json = to_json(pattern);
    json["memory"]["in_page"] = 4096;
    testing::expect_error(ExitCode::usage, "memory.in_page is 4096", [&] { pattern_from_json(json); });
}

TEST(PatternJson, ReadsBackListsOfPieces) {
    auto const pattern = testing::irregular_pattern(3, 50, true, false);
    auto const json = to_json(pattern);
    EXPECT_EQ(pattern_from_json(Json::parse(json.dump())), pattern);
    EXPECT_FALSE(json["phases"][0]["steps"][1]["access"].contains("extent"));
}

TEST(PatternJson, FindsTheFileOfListsBesideIt) {
    testing::TemporaryDirectory const directory;
    auto pattern = testing::irregular_pattern(3, 50, false, false);
    auto json = to_json(pattern);
    std::get<Access>(pattern.phases[0].steps[1]).lists.write_file(directory.path() / "mesh.lists");
    for (auto& phase : json["phases"]) {
        auto& access = phase["steps"][1]["access"];
        access.erase("lists");
        access["lists_file"] = "mesh.lists";
    }
    auto const read = pattern_from_json(json, directory.path());
    EXPECT_EQ(totals(read), totals(pattern));
    EXPECT_EQ(nlohmann::json(to_json(read)), nlohmann::json(json)) << "in whatever order";
}

/// A pattern in which these places have other values.
Json valid(std::initializer_list<std::pair<char const*, Json>> changes = {}) {
    auto json = to_json(make_pattern({}));
    for (auto const& [place, value] : changes) {
        json[Json::json_pointer(place)] = value;
    }
    return json;
}

void expect_refused(Json const& json, std::string const& words) {
    testing::expect_error(ExitCode::usage, words, [&] { pattern_from_json(json); });
}

TEST(PatternJson, RefusesListsThatCannotBe) {
    auto const whole = to_json(testing::irregular_pattern(2, 20, false, false));
    auto const with = [&](auto change) {
        auto json = whole;
        change(json["phases"][0]["steps"][1]["access"]);
        return json;
    };
    expect_refused(with([](Json& access) { access["lists"].push_back(Json::array({0, 8})); }), "3 lists for 2 ranks");
    expect_refused(with([](Json& access) { access["lists"][1].push_back(8); }), "lists[1] is no list of pieces");
    expect_refused(with([](Json& access) { access["lists"][0][1] = 0; }), "length 0");
    expect_refused(with([](Json& access) { access["lists"][0][0] = -1; }), "lists[0][0] is no piece");
    expect_refused(with([](Json& access) { access["lists"][0][0] = 1ULL << 63U; }), "beyond 2^63");
    expect_refused(with([](Json& access) { access["rank_levels"] = Json::array(); }), "lists and an extent");
    expect_refused(with([](Json& access) {
                       access["order"] = {{"kind", "dealt"}, {"seed", 1}, {"draws", 1}};
                   }),
                   "cannot be drawn");
}

TEST(PatternJson, RefusesOtherVersions) { expect_refused(valid({{"/weir_pattern", 2}}), "version 2"); }

TEST(PatternJson, RefusesUnknownKeysWithTheirPlace) {
    expect_refused(valid({{"/phases/1/steps/1/access/extent/lenght", 8}}), "phases[1].steps[1].access.extent");
}

TEST(PatternJson, RefusesWhatCannotBeCarriedOut) {
    auto json = valid();
    json["phases"][0]["steps"].erase(0);
    expect_refused(json, "file 0 is not open");
    expect_refused(valid({{"/files", Json::array()}}), "there is no file 0");
    expect_refused(valid({{"/ranks", 0}}), "no ranks");
    expect_refused(valid({{"/phases/0/steps/1/access/ranks/count", 2}}), "rank set goes beyond");
    json = valid();
    json["phases"][0]["steps"].erase(json["phases"][0]["steps"].size() - 1);
    expect_refused(json, "open");
}

TEST(PatternJson, RefusesNamesThatLeadOutOfTheDirectory) {
    for (auto const* name : {"", ".", "..", "/etc/passwd", "../data", "a/b"}) {
        expect_refused(valid({{"/files/0/name", name}}), "no plain file name");
    }
}

TEST(PatternJson, RefusesNamesThatMeanTheSameFile) {
    auto json = valid();
    json["files"].push_back({{"name", "data"}, {"per_rank", false}});
    expect_refused(json, "two files are named");
    json["files"] = Json::array({{{"name", "a"}, {"per_rank", true}}, {{"name", "a.00000000"}, {"per_rank", false}}});
    expect_refused(json, "the name of one rank's");
}

TEST(PatternJson, RefusesOffsetsOutOfRange) {
    auto const with_level = [](std::uint64_t count, std::int64_t stride) {
        auto const levels = Json::array({{{"count", count}, {"stride", stride}}});
        return valid({{"/phases/0/steps/1/access/extent/levels", levels}});
    };
    expect_refused(with_level(16, -4096), "before the start of the file");
    expect_refused(valid({{"/phases/0/steps/1/access/extent/start", std::uint64_t{1} << 63}}), "beyond 2^63");
    expect_refused(with_level(std::uint64_t{1} << 62, std::int64_t{1} << 62), "beyond 2^63");
    expect_refused(with_level(std::uint64_t{1} << 62, 0), "2^63 bytes or more in all");
}

TEST(PatternJson, RefusesRankSetsThatOverflow) {
    Json const ranks{{"first", 0}, {"count", 9223372036854775809U}, {"step", 2}};
    expect_refused(valid({{"/phases/0/steps/1/access/ranks", ranks}}), "rank set goes beyond");
}

TEST(PatternJson, RefusesLimitsThatContradictThemselves) {
    expect_refused(valid({{"/phases/1/limited_by", "nonsense"}}), "no earlier phase 'nonsense' has a time limit");
    expect_refused(valid({{"/phases/0/time_limit_s", -3}}), "time limit is below 0");
    expect_refused(valid({{"/phases/0/wear_out", true}}), "wears out without");
    auto json = valid({{"/phases/0/time_limit_s", 1}, {"/phases/1/limited_by", "write"}});
    EXPECT_NO_THROW(pattern_from_json(json));
    json["phases"][1]["steps"].erase(1);
    expect_refused(json, "accesses");
}

TEST(PatternJson, TakesAFileThatAnEarlierPhaseHasLeftOpen) {
    auto json = valid();
    auto& writing = json["phases"][0];
    writing["steps"].erase(writing["steps"].size() - 1);
    expect_refused(json, "file 0 is open already");
    auto& reading = json["phases"][1];
    reading["steps"].erase(0);
    EXPECT_NO_THROW(pattern_from_json(json));
    reading["collective"] = true;
    expect_refused(json, "phase 'write' has not opened file 0 for collective accesses");
    writing["steps"][0]["open"]["collective"] = true;
    EXPECT_EQ(to_json(pattern_from_json(json)), json);
    reading["reorder"] = {{"kind", "shift"}, {"shift", 1}};
    expect_refused(json, "file 0 is open");
    reading["reorder"] = {{"kind", "none"}};
    reading["steps"].erase(reading["steps"].size() - 1);
    expect_refused(json, "still open at its end");
}

TEST(PatternJson, RefusesCollectiveAccessToAFileOfOneProcess) {
    for (auto const* place : {"/phases/0/collective", "/phases/0/steps/1/access/collective"}) {
        expect_refused(valid({{"/files/0/per_rank", true}, {place, true}}), "no other ranks for a collective call");
    }
}

TEST(PatternJson, ReadsAccessesThatAreCollectiveByThemselves) {
    auto json = valid();
    EXPECT_FALSE(json["phases"][0]["steps"][1]["access"].contains("collective"));
    json["phases"][0]["steps"][1]["access"]["collective"] = true;
    auto const pattern = pattern_from_json(json);
    EXPECT_TRUE(std::get<Access>(pattern.phases[0].steps[1]).collective);
    EXPECT_EQ(nlohmann::json(to_json(pattern)), nlohmann::json(json)) << "in whatever order";
    json["phases"][0]["time_limit_s"] = 1;
    json["phases"][0]["wear_out"] = true;
    expect_refused(json, "wears out in a phase that is not collective");
}

/// The valid pattern, with its first write step in a repeat.
Json repeated() {
    auto json = valid();
    auto& step = json["phases"][0]["steps"][1];
    step["access"]["advance"] = {1 << 24};
    step = {{"repeat", {{"count", 3}, {"steps", Json::array({step})}}}};
    return json;
}

TEST(PatternJson, ReadsRepeatsAndRanksOfSteps) {
    auto json = repeated();
    json["phases"][0]["steps"].insert(json["phases"][0]["steps"].begin(),
                                      Json{{"barrier", {{"ranks", {{"first", 0}, {"count", 1}, {"step", 1}}}}}});
    auto const pattern = pattern_from_json(json);
    EXPECT_EQ(totals(pattern).bytes_written, 3ULL << 24);
    EXPECT_EQ(file_sizes(pattern)[0], 3ULL << 24);
    EXPECT_EQ(to_json(pattern).dump(), json.dump());
}

TEST(PatternJson, RefusesRepeatsAndRanksThatItCannotRead) {
    auto const with = [](auto change) {
        auto json = repeated();
        change(json["phases"][0]["steps"]);
        return json;
    };
    expect_refused(with([](Json& steps) { steps[1]["repeat"]["times"] = 2; }), "'times' in phases[0].steps[1].repeat");
    expect_refused(with([](Json& steps) { steps[1]["repeat"]["steps"][0]["access"]["advance"] = {0.5}; }),
                   "phases[0].steps[1].repeat.steps[0].access.advance[0] is not a whole number");
    expect_refused(with([](Json& steps) { steps[1]["repeat"]["steps"][0]["access"]["file_advance"] = {1}; }),
                   "there is no file 2");
    expect_refused(with([](Json& steps) { steps[0]["open"]["ranks"] = Json::array(); }), "open.ranks is empty");
    expect_refused(with([](Json& steps) {
                       steps.push_back({{"compute", {{"time_s", 1}, {"ranks", 0}}}});
                   }),
                   "steps[4].compute.ranks is not a JSON object");
    expect_refused(with([](Json& steps) {
                       Json deep = steps[1];
                       for (int i = 0; i < 8; ++i) {
                           deep = {{"repeat", {{"count", 1}, {"steps", Json::array({std::move(deep)})}}}};
                       }
                       steps[1] = std::move(deep);
                   }),
                   "is nested too deep");
}

TEST(PatternJson, RefusesTwoStepsInOneObject) {
    auto json = valid();
    json["phases"][0]["steps"][0]["close"] = {{"file", 0}};
    expect_refused(json, "not one step");
}

}  // namespace
}  // namespace weir
