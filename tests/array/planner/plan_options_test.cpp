#include "array/planner/plan_options.hpp"

#include <gtest/gtest.h>

#include "support/failures/refusal.hpp"
#include "support/has.hpp"

namespace weir::array {
namespace {

std::string refusal(char const* text) {
    return testing::refusal([&] { parse_options(text); });
}

TEST(ParseOptions, ReadsWordsBetweenAnySpaces) {
    auto const options = parse_options("  method=grouped\tgroup=8\n window=1MiB exchange=messages sync=no ");
    EXPECT_EQ(options.method, Method::grouped);
    EXPECT_EQ(options.group, 8U);
    EXPECT_EQ(options.window.value, std::uint64_t{1} << 20U);
    EXPECT_EQ(options.exchange, Route::messages);
    EXPECT_FALSE(options.sync);
    EXPECT_TRUE(parse_options("checksum=yes").checksum);
    EXPECT_TRUE(parse_options("checksum=true").checksum);
}

TEST(ParseOptions, LeavesTheRestToThePlanner) {
    auto const options = parse_options("");
    EXPECT_EQ(options.method, Method::automatic);
    EXPECT_EQ(options.writers, 0U);
    EXPECT_TRUE(options.sync);
}

TEST(ParseOptions, RefusesWhatIsNoOption) {
    EXPECT_EQ(refusal("quickly"),
              "'quickly' is no option (it has no '='). Write key=value, with spaces between options: \"writers=4 "
              "memory=64MiB\".");
    for (auto const* text : {"methods=gather", "method=fast", "group=0", "group=-1", "group=", "group=two", "=4",
                             "window=12", "window=-1MiB", "target=0B", "writers=1.5", "sync=perhaps",
                             "exchange=", "writers=99999999999999999999", "group=2 group"}) {
        EXPECT_NE(refusal(text), "") << text;
    }
    EXPECT_TRUE(testing::has(refusal("group=0"), "group"));
}

TEST(ParseOptions, RefusesWhatIsGivenTwiceOrHasNoValue) {
    EXPECT_EQ(refusal("writers=1 sync=no writers=2"),
              "the option writers is given twice (as writers=1 and as writers=2). Leave out one of them.");
    EXPECT_NE(refusal("sync=no sync=no"), "");
    EXPECT_EQ(refusal("directory="),
              "the option directory has no value (nothing follows its '='). Give it one, or "
              "leave it out.");
}

TEST(ParseOptions, TakeTheValuesOfAnother) {
    EXPECT_EQ(overridden("writers=1 sync=no", "writers=2 method=gather"), "writers=2 method=gather sync=no");
    EXPECT_EQ(overridden("", ""), "");
    EXPECT_NE(testing::refusal([] { overridden("", "writers"); }), "");
}

}  // namespace
}  // namespace weir::array
