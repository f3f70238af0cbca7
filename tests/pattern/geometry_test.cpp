#include "pattern/geometry.hpp"

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
