#include "apps/common/run/group_choice.hpp"

#include <gtest/gtest.h>

#include "support/failures/error_of.hpp"

namespace weir {
namespace {

struct ChoiceOfGroups : ::testing::Test {
    ChoiceOfGroups() { choice.declare(set); }

    [[nodiscard]] std::string refusal(std::string const& backend = "hdf5") const {
        return testing::refusal_of(ExitCode::usage, [&] { choice.validate_choice(8, backend); }).problem;
    }

    GroupChoice choice;
    OptionSet set;
};

TEST_F(ChoiceOfGroups, IsThatOfTheOptions) {
    EXPECT_FALSE(choice.is_set());
    set.set("read_group", "8");
    EXPECT_TRUE(choice.is_set());
    set.set("write_group", "2");
    set.set("group_requests", "combined");
    auto const able = choice.grouping({}, {.many_parts = true});
    EXPECT_EQ(able.read, 8U);
    EXPECT_EQ(able.write, 2U);
    EXPECT_EQ(able.by, GroupBy::count);
    EXPECT_EQ(able.requests, GroupRequests::combined);
    EXPECT_EQ(choice.grouping({}, {.many_parts = false}).requests, GroupRequests::member) << "it takes one part";
}

TEST_F(ChoiceOfGroups, RefusesSizesThatAreNone) {
    EXPECT_EQ(refusal(), "");
    for (auto const* wrong : {"0", "-1", "2x", "", "9"}) {
        set.set("write_group", wrong);
        EXPECT_NE(refusal(), "") << wrong;
    }
    set.set("write_group", "8");
    EXPECT_EQ(refusal(), "");
    EXPECT_NE(refusal("twophase"), "") << "it has its own";
}

}  // namespace
}  // namespace weir
