#include "array/piece_list.hpp"

#include <gtest/gtest.h>

#include "support/sections.hpp"

namespace weir::array {
namespace {

using testing::Byte;
using testing::bytes_of;
using testing::random_below;
using testing::random_pieces;
using testing::visited;

TEST(PieceList, AgreesWithWalkingAllPieces) {
    std::mt19937_64 random(1);
    for (int trial = 0; trial < 300; ++trial) {
        SCOPED_TRACE(trial);
        auto const pieces = random_pieces(random, 10, 10 + random_below(random, 200));
        auto const bytes = bytes_of(pieces);
        PieceList const list(pieces, 3);
        ASSERT_EQ(list.array(), 3U);
        ASSERT_EQ(list.bytes(), bytes.size());
        ASSERT_EQ(list.begin(), bytes.empty() ? 0 : bytes.front().position);
        ASSERT_EQ(list.end(), bytes.empty() ? 0 : bytes.back().position + 1);
        for (std::uint64_t position = 0; position < 220; ++position) {
            auto const before = std::ranges::lower_bound(bytes, position, {}, &Byte::position) - bytes.begin();
            ASSERT_EQ(list.count_before(position), before);
        }
        for (int i = 0; i < 8; ++i) {
            auto const from = random_below(random, bytes.size() + 1);
            auto const to = from + random_below(random, bytes.size() + 1 - from);
            ASSERT_EQ(visited(list, from, to), std::vector<Byte>(bytes.begin() + static_cast<std::ptrdiff_t>(from),
                                                                 bytes.begin() + static_cast<std::ptrdiff_t>(to)));
            auto const first = random_below(random, 220);
            auto const last = first + random_below(random, 220 - first);
            auto cut = bytes;
            std::erase_if(cut, [&](Byte const& b) { return b.position < first || b.position >= last; });
            ASSERT_EQ(bytes_of(list.within(first, last)), cut);
        }
    }
}

TEST(PieceList, JoinsWhatTouchesInTheFileAndInMemory) {
    EXPECT_EQ(PieceList({{0, 4, 0}, {4, 4, 4}, {8, 4, 8}}, 0).pieces().size(), 1U);
    EXPECT_EQ(PieceList({{0, 4, 4}, {4, 4, 0}}, 0).pieces().size(), 2U) << "not in memory";
    EXPECT_EQ(PieceList({{0, 4, 0}, {5, 4, 4}}, 0).pieces().size(), 2U) << "not in the file";
    EXPECT_EQ(PieceList({{0, 4, 0}, {2, 4, 4}}, 0).pieces().size(), 2U) << "they overlap";
    EXPECT_TRUE(PieceList({{7, 0, 0}}, 0).pieces().empty());
}

TEST(PieceList, TakesAFewWordsAPiece) {
    std::vector<Placed> pieces;
    for (std::uint64_t i = 0; i < 1000; ++i) {
        pieces.push_back({i * 16, 8, static_cast<std::int64_t>(i * 8)});
    }
    EXPECT_LE(PieceList(pieces, 0).memory_bytes(), 1001 * 32);
}

}  // namespace
}  // namespace weir::array
