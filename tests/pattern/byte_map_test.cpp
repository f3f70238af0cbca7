#include "pattern/byte_map.hpp"

#include <gtest/gtest.h>

#include "pattern/parametric.hpp"
#include "support/patterns/phases.hpp"

namespace weir {
namespace {

TEST(Geometry, ShowsBlocksAsWholeRunsInFileOrder) {
    auto const g = geometry(make_pattern({.ranks = 2, .block = Bytes{64}, .transfer = Bytes{8}, .segments = 2}), 100);
    ASSERT_EQ(g.runs.size(), 4U);
    EXPECT_TRUE(g.complete);
    EXPECT_EQ(g.phase, "write");
    for (std::uint64_t i = 0; i < 4; ++i) {
        EXPECT_EQ(g.runs[i], (weir::Run{"data", 64 * i, 64, i % 2}));
    }
}

TEST(Geometry, SaysWhenItIsCut) {
    auto const g = geometry(make_pattern({.ranks = 100'000, .offsets = Offsets::strided}), 50);
    EXPECT_EQ(g.runs.size(), 50U);
    EXPECT_FALSE(g.complete);
}

TEST(Geometry, SaysWhenThereAreMoreRanksThanRuns) {
    Parameters p;
    p.transfer = p.block;
    for (std::uint64_t const ranks : {50, 51, 100}) {
        p.ranks = ranks;
        auto const g = geometry(make_pattern(p), 50);
        EXPECT_EQ(g.runs.size(), 50U);
        EXPECT_EQ(g.complete, ranks == 50);
    }
}

TEST(Geometry, ShowsTheRanksThatTakePart) {
    auto const access = testing::access_of({1, 3, 2}, {{3, 8}}, {0, {}, 8});
    auto phase = testing::phase_of("p", {Open{0}, access, Close{0}});
    auto const g = geometry({"p", 6, {{"data"}}, {phase}}, 10);
    EXPECT_EQ(g.runs, (std::vector<weir::Run>{{"data", 0, 8, 1}, {"data", 8, 8, 3}, {"data", 16, 8, 5}}));
}

TEST(Geometry, GivesEachRankItsShare) {
    Parameters const p{.ranks = 4, .block = Bytes{8 << 20}, .transfer = Bytes{8}, .offsets = Offsets::strided};
    auto const g = geometry(make_pattern(p), 40);
    EXPECT_FALSE(g.complete);
    for (std::uint64_t i = 0; i < g.runs.size(); ++i) {
        EXPECT_EQ(g.runs[i].offset, 8 * i);
        EXPECT_EQ(g.runs[i].rank, i % 4);
    }
}

TEST(Geometry, NamesEachRanksOwnFile) {
    auto const g = geometry(make_pattern({.ranks = 2, .layout = Layout::file_per_process}), 10);
    ASSERT_EQ(g.runs.size(), 2U);
    EXPECT_EQ(g.runs[1], (weir::Run{"data.00000001", 0, 16U << 20, 1}));
}

}  // namespace
}  // namespace weir
