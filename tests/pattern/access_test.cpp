#include "pattern/access.hpp"

#include <gtest/gtest.h>

#include <array>

#include "support/patterns/phases.hpp"

namespace weir {
namespace {

/// Of ranks 1 and 3.
Access nest() { return testing::access_of({1, 2, 2}, {}, {10, {{2, 100}, {3, 8}}, 8}); }

void expect_pieces(Access const& access, std::array<std::uint64_t, 4> const& expected) {
    for (std::uint64_t rank = 0; rank < expected.size(); ++rank) {
        EXPECT_EQ(pieces_of(access, Rank{rank}), expected.at(rank)) << rank;
        EXPECT_EQ(volume(access, Rank{rank}).pieces, expected.at(rank)) << rank;
    }
}

TEST(PiecesOfARank, AreThoseOfItsNest) { expect_pieces(nest(), {0, 6, 0, 6}); }

TEST(VolumeOfAccess, CountsNoRequestOfNothing) {
    Access access;
    access.ranks = {0, 2, 1};
    access.lists = PieceLists({{}, {{0, 8}, {16, 8}}});
    access.list_io = true;
    EXPECT_EQ(volume(access, Rank{0}).requests, 0U);
    EXPECT_EQ(volume(access, Rank{1}).requests, 1U);
    EXPECT_EQ(volume(access).requests, 1U);
}

TEST(PiecesOfARank, AreAsManyAsAreDrawn) {
    auto access = nest();
    access.order = {OrderKind::random, 3, 100};
    expect_pieces(access, {0, 100, 0, 100});
}

TEST(PiecesOfARank, AreThoseOfItsList) {
    auto access = nest();
    access.lists = PieceLists({{{0, 8}, {16, 8}, {32, 24}}, {}});
    expect_pieces(access, {0, 3, 0, 0});
    EXPECT_EQ(sum_of_lengths(access.lists.of(0)), 40U);
}

}  // namespace
}  // namespace weir
