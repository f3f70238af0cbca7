#include "storage/engine/cached_read.hpp"

#include <gtest/gtest.h>

namespace weir {
namespace {

constexpr auto unknown = std::nullopt;

TEST(JudgeRead, BelievesWhatCameFromDevices) {
    EXPECT_EQ(judge_read({100, 95, unknown, false, true, false}).suspect, false);
    EXPECT_EQ(judge_read({100, 140, unknown, false, true, false}).suspect, false);
}

TEST(JudgeRead, SuspectsWhatDidNot) {
    EXPECT_EQ(judge_read({100, 80, unknown, false, true, false}).suspect, true);
    EXPECT_EQ(judge_read({100, 0, unknown, false, true, true}).suspect, true);
    EXPECT_EQ(judge_read({100, 100, unknown, true, true, false}).suspect, true);
}

TEST(JudgeRead, FallsBackToWhatWasResident) {
    EXPECT_EQ(judge_read({100, unknown, 0.5, false, true, false}).suspect, true);
    EXPECT_EQ(judge_read({100, unknown, 0.02, false, true, false}).suspect, false);
    EXPECT_EQ(judge_read({100, unknown, 1.0, false, true, true}).suspect, false);
}

TEST(JudgeRead, DoesNotTakeSilenceOfANetworkForProof) {
    EXPECT_EQ(judge_read({100, 0, 0.0, false, false, false}).suspect, false);
    EXPECT_EQ(judge_read({100, 0, unknown, false, false, true}).suspect, false);
    EXPECT_EQ(judge_read({100, 0, unknown, false, false, false}).suspect, std::nullopt);
    EXPECT_EQ(judge_read({100, 0, 0.0, false, true, false}).suspect, true);
}

TEST(JudgeRead, SaysWhenItCannotTell) {
    auto const verdict = judge_read({100, unknown, unknown, false, true, false});
    EXPECT_FALSE(verdict.suspect.has_value());
    EXPECT_FALSE(verdict.why.empty());
}

}  // namespace
}  // namespace weir
