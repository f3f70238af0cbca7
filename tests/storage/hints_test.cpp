#include "storage/hints.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"
#include "core/json.hpp"
#include "support/failures/error_of.hpp"

namespace weir {
namespace {

std::string state(Json const& json, std::string const& hint) {
    for (auto const& one : json) {
        if (one["hint"] == hint) {
            return one["state"];
        }
    }
    return "not there";
}

TEST(HintStates, TellsWhatBecameOfEachHint) {
    Hints const asked{{"cb_nodes", "2"}, {"cb_buffer_size", "1"}, {"cb_nodse", "2"}};
    Hints in_force{{"cb_nodes", "2"}, {"cb_buffer_size", "16777216"}, {"romio_ds_read", "automatic"}};
    EXPECT_FALSE(take_canary(in_force));
    auto const json = describe_hints_asked(asked, in_force, false);
    EXPECT_EQ(state(json, "cb_nodes"), "in force");
    EXPECT_EQ(state(json, "cb_buffer_size"), "changed");
    EXPECT_EQ(state(json, "cb_nodse"), "ignored");
    EXPECT_EQ(json.size(), 3U);
}

TEST(HintStates, BelievesNoLibraryThatRepeatsAnything) {
    Hints const asked{{"cb_nodse", "2"}};
    auto in_force = with_canary(asked);
    EXPECT_TRUE(take_canary(in_force));
    EXPECT_EQ(in_force, asked) << "the canary is not reported";
    EXPECT_EQ(state(describe_hints_asked(asked, in_force, true), "cb_nodse"), "unproven");
}

TEST(HintStates, AsksNothingWhereNothingWasAsked) {
    EXPECT_TRUE(with_canary({}).empty());
    EXPECT_TRUE(describe_hints_asked({}, {{"cb_nodes", "2"}}, false).is_null());
}

TEST(HintFiles, HoldText) {
    EXPECT_EQ(parse_hint_file("a=1\r\n b\t2 # why\n\n", "hints"), (Hints{{"a", "1"}, {"b", "2"}}));
    using namespace std::string_literals;
    for (auto const& text : {"\0key=1"s, "key=1\0"s, "ke\x1by=1"s, "key=\x7f"s}) {
        testing::expect_error(ExitCode::usage, "'hints', line 1, is no text",
                              [&] { static_cast<void>(parse_hint_file(text, "hints")); });
    }
}

}  // namespace
}  // namespace weir
