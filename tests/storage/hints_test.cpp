#include "storage/hints.hpp"

#include <gtest/gtest.h>

#include "core/json.hpp"

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

}  // namespace
}  // namespace weir
