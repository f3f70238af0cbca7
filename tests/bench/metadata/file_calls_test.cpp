#include "bench/metadata/file_calls.hpp"

#include <gtest/gtest.h>

namespace weir {
namespace {

TEST(FileName, NumbersInPlace) {
    FileName file("/scratch/dir", "weir-file", 3, 101);
    file.number(7);
    EXPECT_STREQ(file.path(), "/scratch/dir/weir-file-3-007");
    EXPECT_STREQ(file.name(), "weir-file-3-007");
    file.number(100);
    EXPECT_STREQ(file.name(), "weir-file-3-100");
    file.number(0);
    EXPECT_STREQ(file.name(), "weir-file-3-000");
}

TEST(FileName, OfTheOnlyFileHasOneDigit) {
    FileName file(".", "weir-file", 0, 1);
    file.number(0);
    EXPECT_STREQ(file.path(), "./weir-file-0-0");
}

}  // namespace
}  // namespace weir
