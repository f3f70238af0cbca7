#include "core/talk.hpp"

#include <gtest/gtest.h>

namespace weir {
namespace {

std::vector<std::string> const known{"cloud", "metadata", "schema", "storage"};

TEST(NearestWord, ForgivesLettersAddedLeftOutOrChanged) {
    EXPECT_EQ(nearest_word("claud", known), "cloud");
    EXPECT_EQ(nearest_word("clud", known), "cloud");
    EXPECT_EQ(nearest_word("sttorrage", known), "storage");
    EXPECT_EQ(nearest_word("schema", known), "schema");
}

TEST(NearestWord, IsNoneWhereNothingIsNear) {
    EXPECT_EQ(nearest_word("cases.json", known), "");
    EXPECT_EQ(nearest_word("xy", known), "");
    EXPECT_EQ(nearest_word("", known), "");
    EXPECT_EQ(nearest_word("cloud", {}), "");
}

}  // namespace
}  // namespace weir
