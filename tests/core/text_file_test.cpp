#include "core/text_file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

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

std::string why_refused(std::filesystem::path const& path) {
    try {
        read_named_file(path, "it", "");
    } catch (Error const& error) {
        return error.diagnosis().reason;
    }
    return "";
}

TEST(TextFile, ThatTheUserNamesIsNoPipeNoFolderAndNoDevice) {
    auto const pipe = std::filesystem::path(testing::TempDir()) / "weir-text-file-test-pipe";
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    EXPECT_EQ(why_refused(pipe), "it is a pipe, not a file");
    std::filesystem::remove(pipe);
    EXPECT_EQ(why_refused(testing::TempDir()), "it is a folder, not a file");
    EXPECT_EQ(why_refused("/dev/zero"), "it is a device, not a file");
    EXPECT_EQ(why_refused("/nonexistent/file"), "there is no such file");
    EXPECT_EQ(why_refused("/proc/self/mem"), "Input/output error");
}

}  // namespace
}  // namespace weir
