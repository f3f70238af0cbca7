#include "bench/needed_room.hpp"

#include <gtest/gtest.h>

#include "pattern/parametric.hpp"
#include "support/patterns/phases.hpp"

namespace weir {
namespace {

struct LeastRoom : ::testing::Test {
    [[nodiscard]] std::uint64_t of(std::uint64_t ranks_here) const { return least_room(make_pattern(p), ranks_here); }

    Parameters p{.ranks = 4, .block = Bytes{1 << 20}, .transfer = Bytes{1 << 10}, .segments = 3};
};

TEST_F(LeastRoom, IsThatOfAllNewFiles) {
    EXPECT_EQ(of(2), 12U << 20);
    p.files = 2;
    EXPECT_EQ(of(2), 24U << 20);
    p.preallocate = p.overwrite = p.check = true;
    EXPECT_EQ(of(2), 24U << 20);
}

TEST_F(LeastRoom, IsThatOfTheRanksThatAreHereWhereEachHasItsFile) {
    p.layout = Layout::file_per_process;
    EXPECT_EQ(of(2), 6U << 20);
    EXPECT_EQ(of(9), 12U << 20);
}

TEST_F(LeastRoom, IsNoneWhereFilesAreThereOrNobodyKnowsHowMuchIsWritten) {
    p.write = false;
    EXPECT_EQ(of(2), 0U);
    p.write = true;
    p.time_limit = Seconds{1};
    EXPECT_EQ(of(2), 0U);
}

TEST(LeastRoomOfPatterns, CountsNoHolesAndWhatIsThereTogether) {
    auto const access = testing::access_of({0, 1, 1}, {}, {0, {{4, 1 << 20}}, 1 << 10});
    Pattern pattern{"sparse", 1, {{"a"}, {"b"}}, {testing::phase_of("w", {Open{0}, access, Close{0}})}};
    EXPECT_EQ(least_room(pattern, 1), 4U << 10);
    pattern.phases[0].steps.insert(pattern.phases[0].steps.begin() + 1, Preallocate{0, 3 << 20});
    EXPECT_EQ(least_room(pattern, 1), (3U << 20) + (1U << 10));
    auto other = access;
    other.file = 1;
    for (Step const& step : {Step{Remove{0}}, Step{Open{1}}, Step{other}, Step{Close{1}}}) {
        pattern.phases[0].steps.push_back(step);
    }
    EXPECT_EQ(least_room(pattern, 1), (3U << 20) + (1U << 10)) << "the first file is gone before the second comes";
}

}  // namespace
}  // namespace weir
