#include "pattern/byte_map.hpp"

#include <gtest/gtest.h>

#include "pattern/parametric.hpp"

namespace weir {
namespace {

TEST(Geometry, ShowsBlocksAsWholeRunsInFileOrder) {
    Parameters p;
    p.ranks = 2;
    p.segments = 2;
    p.block = Bytes{64};
    p.transfer = Bytes{8};
    auto const g = geometry(make_pattern(p), 100);
    ASSERT_EQ(g.runs.size(), 4U);
    EXPECT_TRUE(g.complete);
    EXPECT_EQ(g.phase, "write");
    for (std::uint64_t i = 0; i < 4; ++i) {
        EXPECT_EQ(g.runs[i].offset, 64 * i);
        EXPECT_EQ(g.runs[i].length, 64U);
        EXPECT_EQ(g.runs[i].rank, i % 2);
    }
}

TEST(Geometry, SaysWhenItIsCut) {
    Parameters p;
    p.ranks = 100'000;
    p.offsets = Offsets::strided;
    auto const g = geometry(make_pattern(p), 50);
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
    Access access;
    access.ranks = {1, 3, 2};
    access.rank_levels = {{3, 8}};
    access.extent.length = 8;
    Phase phase;
    phase.name = "p";
    phase.steps = {Open{0}, access, Close{0}};
    auto const g = geometry({"p", 6, {{"data"}}, {phase}}, 10);
    EXPECT_EQ(g.runs, (std::vector<weir::Run>{{"data", 0, 8, 1}, {"data", 8, 8, 3}, {"data", 16, 8, 5}}));
}

TEST(Geometry, GivesEachRankItsShare) {
    Parameters p;
    p.ranks = 4;
    p.offsets = Offsets::strided;
    p.block = Bytes{8 << 20};
    p.transfer = Bytes{8};
    auto const g = geometry(make_pattern(p), 40);
    EXPECT_FALSE(g.complete);
    for (std::uint64_t i = 0; i < g.runs.size(); ++i) {
        EXPECT_EQ(g.runs[i].offset, 8 * i);
        EXPECT_EQ(g.runs[i].rank, i % 4);
    }
}

TEST(Geometry, NamesEachRanksOwnFile) {
    Parameters p;
    p.ranks = 2;
    p.layout = Layout::file_per_process;
    auto const g = geometry(make_pattern(p), 10);
    ASSERT_EQ(g.runs.size(), 2U);
    EXPECT_EQ(g.runs[1].file, "data.00000001");
    EXPECT_EQ(g.runs[1].length, 16U << 20);
}

}  // namespace
}  // namespace weir
