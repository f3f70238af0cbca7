#include "core/text_file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "support/failures/error_of.hpp"

namespace weir {
namespace {

TEST(TextFile, IsReadWhole) {
    auto const path = std::filesystem::path(::testing::TempDir()) / "weir-text-file-test";
    std::ofstream(path) << "one\ntwo";
    EXPECT_EQ(read_text_file(path), "one\ntwo");
    EXPECT_EQ(read_named_file(path, "it", ""), "one\ntwo");
    std::filesystem::remove(path);
}

TEST(TextFile, IsNothingWhereThereIsNone) { EXPECT_FALSE(read_text_file("/nonexistent/file").has_value()); }

TEST(TextFile, ThatTheUserNamesIsRefusedWhereThereIsNone) {
    auto const said = testing::refusal_of(
        ExitCode::usage, [] { read_named_file("/nonexistent/file", "the case file", "Check the path."); });
    EXPECT_EQ(said.problem, "cannot read the case file");
    EXPECT_EQ(said.suggestion, "Check the path.");
}

std::string why_refused(std::filesystem::path const& path) {
    return testing::refusal_of(ExitCode::usage, [&] { read_named_file(path, "it", ""); }).reason;
}

TEST(TextFile, ThatTheUserNamesIsNoPipeNoFolderAndNoDevice) {
    auto const pipe = std::filesystem::path(::testing::TempDir()) / "weir-text-file-test-pipe";
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    EXPECT_EQ(why_refused(pipe), "it is a pipe, not a file");
    std::filesystem::remove(pipe);
    EXPECT_EQ(why_refused(::testing::TempDir()), "it is a folder, not a file");
    EXPECT_EQ(why_refused("/dev/zero"), "it is a device, not a file");
    EXPECT_EQ(why_refused("/nonexistent/file"), "there is no such file");
    EXPECT_EQ(why_refused("/proc/self/mem"), "Input/output error");
}

}  // namespace
}  // namespace weir
