#include "array/layout/share.hpp"

#include <gtest/gtest.h>

#include "support/arrays/sections.hpp"

namespace weir::array {
namespace {

using testing::Byte;
using testing::random_below;
using testing::visited;

Part random_part(std::mt19937_64& random) {
    if (random_below(random, 2) == 0) {
        return testing::random_section(random);
    }
    return PieceList(testing::random_pieces(random, 0, 300), random_below(random, 4));
}

Share random_share(std::mt19937_64& random) {
    Share share;
    for (auto parts = random_below(random, 4); parts > 0; --parts) {
        share.push_back(random_part(random));
    }
    return share;
}

/// What a share has at [from, to), part after part.
std::vector<Byte> bytes_at(Share const& share, std::uint64_t from, std::uint64_t to) {
    std::vector<Byte> bytes;
    for (auto const& part : share) {
        for (auto const& byte : visited(part, 0, part.bytes())) {
            if (byte.position >= from && byte.position < to) {
                bytes.push_back(byte);
            }
        }
    }
    return bytes;
}

struct RandomShares : ::testing::Test {
    std::mt19937_64 random{3};

    template <class Check>
    void each(Check check) {
        for (int trial = 0; trial < 300; ++trial) {
            SCOPED_TRACE(trial);
            auto const from = random_below(random, 500);
            check(random_share(random), from, from + random_below(random, 800));
            if (HasFailure()) {
                return;
            }
        }
    }
};

TEST_F(RandomShares, ShowWhatTheyHaveBetweenTwoPositions) {
    each([](Share const& share, std::uint64_t from, std::uint64_t to) {
        std::vector<Byte> bytes;
        for (auto const& part : share) {
            part.each_at(from, to, [&](Rows const& rows) { testing::append(bytes, rows); });
        }
        ASSERT_EQ(bytes, bytes_at(share, from, to));
        ASSERT_EQ(bytes_within(share, from, to), bytes.size());
        ASSERT_EQ(bytes_of(share), bytes_at(share, 0, ~std::uint64_t{0}).size());
    });
}

TEST_F(RandomShares, AreTheSameAfterAJourney) {
    each([](Share const& share, std::uint64_t from, std::uint64_t to) {
        auto const there = unpacked(packed(share, from, to));
        ASSERT_EQ(bytes_at(there, from, to), bytes_at(share, from, to));
        std::size_t next = 0;
        for (auto const& part : share) {
            if (bytes_within({part}, from, to) > 0) {
                ASSERT_LT(next, there.size());
                ASSERT_EQ(there[next++].array(), part.array());
            }
        }
        ASSERT_EQ(next, there.size()) << "parts that have nothing there stay at home";
    });
}

TEST_F(RandomShares, TakeTheirOwnLengthOnAJourney) {
    each([](Share const& share, std::uint64_t from, std::uint64_t to) {
        std::uint64_t most = 0;
        for (auto const& part : share) {
            most += part.section() != nullptr ? sizeof(Section) + 16
                                              : 16 + part.pieces()->within(from, to).size() * sizeof(LocalPiece);
        }
        ASSERT_LE(packed(share, from, to).size(), most);
    });
}

TEST_F(RandomShares, AreTheSameCoalesced) {
    each([](Share const& share, std::uint64_t from, std::uint64_t to) {
        ASSERT_EQ(bytes_at(coalesced(share), from, to), bytes_at(share, from, to));
    });
}

TEST(CountRuns, CountsContiguousPiecesOfTheFile) {
    Section block;  // 3 x 4 of 10 x 10
    block.dims = 2;
    block.dim[0] = {10, 2, 3, 3, 3, 4};
    block.dim[1] = {10, 3, 4, 4, 4, 1};
    EXPECT_EQ(count_runs(block), 3U);
    block.dim[1] = {10, 0, 10, 10, 10, 1};
    block.dim[0].memory_stride = 10;
    EXPECT_EQ(count_runs(block), 1U) << "whole rows follow each other";
    block.dim[0].owned = 0;
    EXPECT_EQ(count_runs(block), 0U);
    EXPECT_EQ(count_runs(PieceList({{0, 4, 0}, {10, 4, 4}}, 0)), 2U);
}

TEST(MemoryOfLists, IsThatOfPiecesAndOfAllBoxesOfAnArrayButTheFirst) {
    Section block;
    Section other;
    other.array = 1;
    PieceList const pieces({{0, 10, 0}, {20, 10, 10}}, 2);
    EXPECT_EQ(memory_of_lists({block, other}), 0U);
    EXPECT_EQ(memory_of_lists({block, block, block, other}), 2 * sizeof(Part));
    EXPECT_EQ(memory_of_lists({block, pieces}), pieces.memory_bytes());
}

TEST(Packed, IsAFewHundredBytesForAnyBlock) {
    Section huge;
    huge.dims = 3;
    huge.dim[0] = {1 << 20, 0, 1 << 19, 1 << 19, 1 << 19, 1 << 24};
    huge.dim[1] = {1 << 20, 0, 1 << 19, 1 << 19, 1 << 19, 8};
    huge.dim[2] = {8, 0, 8, 8, 8, 1};
    EXPECT_LT(packed({huge}, 0, ~std::uint64_t{0}).size(), 500U);
}

TEST(PieceList, AgreesWithWalkingAllPieces) {
    std::mt19937_64 random(1);
    for (int trial = 0; trial < 300; ++trial) {
        SCOPED_TRACE(trial);
        auto const pieces = testing::random_pieces(random, 10, 10 + random_below(random, 200));
        auto const bytes = testing::bytes_of(pieces);
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
            ASSERT_EQ(testing::bytes_of(list.within(first, last)), cut);
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
    std::vector<LocalPiece> pieces;
    for (std::uint64_t i = 0; i < 1000; ++i) {
        pieces.push_back({i * 16, 8, static_cast<std::int64_t>(i * 8)});
    }
    EXPECT_LE(PieceList(pieces, 0).memory_bytes(), 1001 * 32);
}

}  // namespace
}  // namespace weir::array
