#include "bench/scratch_directory.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/failures/error_of.hpp"
#include "support/skip.hpp"
#include "support/temporary_directory.hpp"

namespace weir {
namespace {

struct WhoseDirectory : ::testing::Test {
    void SetUp() override { WEIR_SKIP_IF(::geteuid() != 0) << "only root can leave its directories to others"; }
    void leave_to(uid_t owner, mode_t mode) const {
        ASSERT_EQ(::chown(place.path().c_str(), owner, owner), 0);
        ASSERT_EQ(::chmod(place.path().c_str(), mode), 0);
    }
    [[nodiscard]] std::string refusal(ForeignFolder others = ForeignFolder::refused) const {
        return testing::refusal_of(ExitCode::cannot_run, [&] { check_whose(place.path(), others); }).reason;
    }
    testing::TemporaryDirectory place;
};

TEST_F(WhoseDirectory, RootKeepsNothingInAnothersUnlessAsked) {
    leave_to(12345, 0755);
    EXPECT_EQ(refusal(), "it belongs to user 12345, who could neither change nor trust them");
    EXPECT_EQ(refusal(ForeignFolder::permitted), "");
    leave_to(12345, 01755);
    EXPECT_NE(refusal(), "") << "sticky, but not everybody's";
}

TEST_F(WhoseDirectory, ItsOwnAndSharedScratchAreFine) {
    EXPECT_EQ(refusal(), "");
    leave_to(12345, 01777);
    EXPECT_EQ(refusal(), "");
}

}  // namespace
}  // namespace weir
