#include "array/layout/share.hpp"

#include <gtest/gtest.h>

#include <set>

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

/// Places in memory are needed only at home.
std::vector<std::uint64_t> positions(std::vector<Byte> const& bytes) {
    std::vector<std::uint64_t> all;
    for (auto const& byte : bytes) {
        all.push_back(byte.position);
    }
    return all;
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
        ASSERT_EQ(positions(bytes_at(there, from, to)), positions(bytes_at(share, from, to)));
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
            auto const bytes_a_piece = 2 * sizeof(std::uint32_t);
            if (part.section() != nullptr) {
                most += sizeof(Section) + 16;
            } else if (part.count_within(from, to) > 0) {
                auto const [first, last] = part.pieces()->within(from, to);
                most += 64 + (last - first) * bytes_a_piece;
            }
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
    EXPECT_EQ(memory_of_lists({block, pieces}), pieces.pieces()->memory_bytes());
    PieceList const same(pieces.pieces(), 1, 30, 3);
    EXPECT_EQ(memory_of_lists({pieces, same}), pieces.pieces()->memory_bytes()) << "one list";
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
            auto const [piece, past] = list.within(first, last);
            std::vector<std::size_t> inside;
            for (std::size_t p = 0; p < list.pieces()->size(); ++p) {
                if (list.pieces()->position(p) < last &&
                    list.pieces()->position(p) + list.pieces()->length(p) > first) {
                    inside.push_back(p);
                }
            }
            ASSERT_EQ(past - piece, first < last ? inside.size() : 0);
            ASSERT_TRUE(past == piece || piece == inside.front());
        }
    }
}

TEST(PieceList, JoinsWhatTouchesInTheFileAndInMemory) {
    EXPECT_EQ(PieceList({{0, 4, 0}, {4, 4, 4}, {8, 4, 8}}, 0).pieces()->size(), 1U);
    EXPECT_EQ(PieceList({{0, 4, 4}, {4, 4, 0}}, 0).pieces()->size(), 2U) << "not in memory";
    EXPECT_EQ(PieceList({{0, 4, 0}, {5, 4, 4}}, 0).pieces()->size(), 2U) << "not in the file";
    EXPECT_EQ(PieceList({{0, 4, 0}, {2, 4, 4}}, 0).pieces()->size(), 2U) << "they overlap";
    EXPECT_EQ(PieceList({{7, 0, 0}}, 0).pieces()->size(), 0U);
}

/// 1000 pieces, `apart` units from one to the next, every other one exchanged in memory if they are not in order.
std::vector<LocalPiece> thousand_pieces(std::uint64_t apart, bool in_order) {
    std::vector<LocalPiece> pieces;
    for (std::uint64_t i = 0; i < 1000; ++i) {
        pieces.push_back({i * apart, 3, static_cast<std::int64_t>((in_order ? i : i ^ 1U) * 3)});
    }
    return pieces;
}

TEST(Pieces, TakeAFewBytesEach) {
    auto const bytes = [](std::uint64_t apart, bool in_order) {
        return Pieces(thousand_pieces(apart, in_order)).memory_bytes();
    };
    constexpr std::uint64_t fixed = 256;
    EXPECT_LE(bytes(4, true), 1001 * 8 + fixed);
    EXPECT_LE(bytes(4, false), 1001 * 12 + fixed);
    EXPECT_LE(bytes(std::uint64_t{1} << 40U, true), 1001 * 12 + fixed) << "positions exceed 32 bits";
    EXPECT_LE(bytes(std::uint64_t{1} << 40U, false), 1001 * 16 + fixed);
}

TEST(Pieces, OfAUserAreTheSameInAnyWayToReadThem) {
    std::mt19937_64 random(5);
    for (int trial = 0; trial < 200; ++trial) {
        SCOPED_TRACE(trial);
        auto const factor = trial % 2 == 0 ? std::uint64_t{1} : std::uint64_t{1} << 33U;  // narrow, and wide
        auto pieces = testing::random_pieces(random, 0, random_below(random, 300));
        std::vector<std::int64_t> offsets;
        std::vector<std::int64_t> lengths;
        for (auto& piece : pieces) {
            piece = {piece.position * factor, piece.length * factor, piece.memory * static_cast<std::int64_t>(factor)};
            offsets.push_back(static_cast<std::int64_t>(piece.position));
            lengths.push_back(static_cast<std::int64_t>(piece.length));
        }
        Pieces const of_user(offsets, lengths.data());
        Pieces const of_pieces(pieces);
        ASSERT_EQ(of_user.size(), of_pieces.size());
        for (std::size_t i = 0; i < of_user.size(); ++i) {
            ASSERT_EQ(of_user.position(i), of_pieces.position(i));
            ASSERT_EQ(of_user.length(i), of_pieces.length(i));
            ASSERT_EQ(of_user.memory(i), of_pieces.memory(i));
        }
        ASSERT_EQ(of_user.units(), of_pieces.units());
        ASSERT_EQ(of_user.end(), of_pieces.end());
        ASSERT_EQ(Pieces(offsets, lengths.data()), of_user);
        ASSERT_EQ(Pieces(offsets, lengths.data()).fingerprint(), of_user.fingerprint());
    }
}

TEST(Pieces, OfOtherListsAreOthers) {
    std::set<std::uint64_t> seen;
    auto const add = [&](std::vector<LocalPiece> pieces) {
        return seen.insert(Pieces(std::move(pieces)).fingerprint()).second;
    };
    EXPECT_TRUE(add({}));
    EXPECT_TRUE(add({{0, 1, 0}}));
    EXPECT_TRUE(add({{1, 1, 0}}));
    EXPECT_TRUE(add({{0, 2, 0}}));
    EXPECT_TRUE(add({{0, 1, 0}, {2, 1, 1}}));
    EXPECT_TRUE(add({{0, 1, 1}, {2, 1, 0}})) << "another order in memory";
    EXPECT_FALSE(add({{2, 1, 1}, {0, 1, 0}}));
}

TEST(Packed, HasAListOfSeveralArraysOnce) {
    PieceList const first(thousand_pieces(4, true), 0);
    Share share;
    for (std::uint64_t array = 0; array < 50; ++array) {
        share.emplace_back(PieceList(first.pieces(), 1 + array % 2 * 7, array * 100'000, array));
    }
    auto const bytes = packed(share, 0, ~std::uint64_t{0});
    EXPECT_LE(bytes.size(), 1001 * 8 + 50 * 64);
    auto const there = unpacked(bytes);
    ASSERT_EQ(there.size(), share.size());
    EXPECT_LE(memory_of_lists(there), 1001 * 8 + 256);
    for (std::size_t i = 0; i < share.size(); ++i) {
        EXPECT_EQ(there[i].begin(), share[i].begin());
        EXPECT_EQ(there[i].end(), share[i].end());
        EXPECT_EQ(there[i].bytes(), share[i].bytes());
        EXPECT_EQ(there[i].array(), i);
    }
    // Two arrays that need different parts of it.
    auto const some = packed(share, share[3].begin() + 2000, share[4].begin() + 400);
    EXPECT_EQ(bytes_within(unpacked(some), share[3].begin() + 2000, share[4].begin() + 400),
              bytes_within(share, share[3].begin() + 2000, share[4].begin() + 400));
}

}  // namespace
}  // namespace weir::array
