#include <gtest/gtest.h>

#include <cerrno>

#include "core/error.hpp"

namespace weir {
namespace {

TEST(FileError, TellsAFullQuotaFromAFullTable) {
    auto const advice = [](int error_number) {
        return file_error("create", "/x/y", error_number).diagnosis().suggestion;
    };
    EXPECT_NE(advice(EDQUOT).find("quota"), std::string::npos);
    EXPECT_NE(advice(EMFILE).find("ulimit -n"), std::string::npos);
    EXPECT_NE(advice(ENOSPC).find("Free space"), std::string::npos);
}

TEST(FileError, SaysWhatWasToBeDoneAndWhy) {
    auto const said = file_error("make a directory in", "/x/y", ENOENT).diagnosis();
    EXPECT_EQ(said.problem, "cannot make a directory in '/x/y'");
    EXPECT_EQ(said.reason, "No such file or directory");
    EXPECT_EQ(said.exit_code, ExitCode::cannot_run);
}

}  // namespace
}  // namespace weir
