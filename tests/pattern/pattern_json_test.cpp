#include "pattern/pattern_json.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"
#include "support/patterns.hpp"

namespace weir {
namespace {

TEST(PatternJson, ReadsBackWhatItWrote) {
    std::mt19937 random(6);
    for (int trial = 0; trial < 200; ++trial) {
        auto pattern = make_pattern(testing::random_parameters(random));
        pattern.phases.front().steps.emplace_back(Compute{Seconds{0.25}});
        auto const text = to_json(pattern).dump();
        ASSERT_EQ(pattern_from_json(Json::parse(text)), pattern) << text;
    }
}

Json valid() { return to_json(make_pattern({})); }

void expect_refused(Json const& json, std::string const& words) {
    try {
        pattern_from_json(json);
        FAIL() << "not refused: " << json.dump();
    } catch (Error const& error) {
        EXPECT_EQ(error.diagnosis().exit_code, ExitCode::usage);
        EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
    }
}

TEST(PatternJson, RefusesOtherVersions) {
    auto json = valid();
    json["weir_pattern"] = 2;
    expect_refused(json, "version 2");
}

TEST(PatternJson, RefusesUnknownKeysWithTheirPlace) {
    auto json = valid();
    json["phases"][1]["steps"][1]["access"]["extent"]["lenght"] = 8;
    expect_refused(json, "phases[1].steps[1].access.extent");
}

TEST(PatternJson, RefusesWhatCannotBeCarriedOut) {
    auto json = valid();
    json["phases"][0]["steps"].erase(0);
    expect_refused(json, "file 0 is not open");
    json = valid();
    json["files"] = Json::array();
    expect_refused(json, "there is no file 0");
    json = valid();
    json["ranks"] = 0;
    expect_refused(json, "no ranks");
    json = valid();
    json["phases"][0]["steps"][1]["access"]["ranks"]["count"] = 2;
    expect_refused(json, "rank set goes beyond");
    json = valid();
    json["phases"][0]["steps"].erase(json["phases"][0]["steps"].size() - 1);
    expect_refused(json, "open");
}

TEST(PatternJson, RefusesTwoStepsInOneObject) {
    auto json = valid();
    json["phases"][0]["steps"][0]["close"] = {{"file", 0}};
    expect_refused(json, "not one step");
}

}  // namespace
}  // namespace weir
