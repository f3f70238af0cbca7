#include "core/json.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "support/failures/error_of.hpp"

namespace weir {
namespace {

TEST(StrictObject, ReadsWhatIsThere) {
    Json const json{{"name", "a"}, {"count", 3}, {"shift", -2}, {"time", 1.5}, {"flag", true}};
    StrictObject const object(json, "it", {"name", "count", "shift", "time", "flag", "other"});
    EXPECT_EQ(object.text("name"), "a");
    EXPECT_EQ(object.count("count"), 3U);
    EXPECT_EQ(object.integer("shift"), -2);
    EXPECT_DOUBLE_EQ(object.number("time"), 1.5);
    EXPECT_TRUE(object.flag("flag"));
    EXPECT_FALSE(object.has("other"));
}

TEST(StrictObject, RefusesUnknownKeysWrongTypesAndGaps) {
    Json const json{{"name", 1}, {"count", -3}};
    EXPECT_THROW(StrictObject(json, "it", {"name"}), Error);
    EXPECT_THROW(StrictObject(Json::array(), "it", {"name"}), Error);
    StrictObject const object(json, "it", {"name", "count", "flag"});
    EXPECT_THROW(static_cast<void>(object.text("name")), Error);
    EXPECT_THROW(static_cast<void>(object.count("count")), Error);
    EXPECT_THROW(static_cast<void>(object.flag("flag")), Error);
}

TEST(StrictObject, NamesThePlace) {
    Json const json{{"nmae", 1}};
    testing::expect_error(ExitCode::usage, "unknown key 'nmae' in phases[2]",
                          [&] { StrictObject(json, "phases[2]", {"name"}); });
}

TEST(Json, TextSteersNoTerminalAndStaysTheValue) {
    Json const value{{"a\u202eb", "\x7f \u0085 \u2028 \u2066 \x1b"}, {"usual", "naïve … 数 🙂 é"}};
    auto const text = json_text(value);
    EXPECT_EQ(text, R"({"a\u202eb":"\u007f \u0085 \u2028 \u2066 \u001b","usual":"naïve … 数 🙂 é"})");
    EXPECT_EQ(parse_json(text), value);
    EXPECT_EQ(json_text("\xe2\x80"), "\"\ufffd\"") << "what is no UTF-8 is replaced";
}

TEST(Json, WritesNoNumbersThatParsersRefuse) {
    EXPECT_EQ(Json(std::numeric_limits<double>::quiet_NaN()).dump(), "null");
    EXPECT_EQ(Json(std::numeric_limits<double>::infinity()).dump(), "null");
}

}  // namespace
}  // namespace weir
