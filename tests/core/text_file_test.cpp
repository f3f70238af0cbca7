#include "core/text_file.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "core/error.hpp"

namespace weir {
namespace {

TEST(TextFile, IsReadWhole) {
    auto const path = std::filesystem::path(testing::TempDir()) / "weir-text-file-test";
    std::ofstream(path) << "one\ntwo";
    EXPECT_EQ(read_text_file(path), "one\ntwo");
    EXPECT_EQ(read_named_file(path, "it", ""), "one\ntwo");
    std::filesystem::remove(path);
}

TEST(TextFile, IsNothingWhereThereIsNone) { EXPECT_FALSE(read_text_file("/nonexistent/file").has_value()); }

TEST(TextFile, ThatTheUserNamesIsRefusedWhereThereIsNone) {
    try {
        read_named_file("/nonexistent/file", "the case file", "Check the path.");
        FAIL();
    } catch (Error const& error) {
        EXPECT_EQ(error.diagnosis().exit_code, ExitCode::usage);
        EXPECT_EQ(error.diagnosis().problem, "cannot read the case file");
        EXPECT_EQ(error.diagnosis().suggestion, "Check the path.");
    }
}

}  // namespace
}  // namespace weir
