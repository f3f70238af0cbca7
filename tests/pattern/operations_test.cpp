#include "pattern/operations.hpp"

#include <gtest/gtest.h>

#include <map>

#include <set>

#include "core/enum_names.hpp"
#include "core/error.hpp"
#include "support/patterns/patterns.hpp"
#include "support/patterns/phases.hpp"

namespace weir {
namespace {

/// Of ranks 1 and 3.
Access inner_nest() { return testing::access_of({1, 2, 2}, {{2, 1000}}, {10, {{2, 100}, {3, 8}}, 8}); }

/// One of their values, of all operations of a rank.
std::vector<std::uint64_t> walked(Access const& access, Rank rank, std::uint64_t Operation::*value) {
    std::vector<std::uint64_t> result;
    Operations operations(access, rank);
    for (Operation o; operations.next(o);) {
        result.push_back(o.*value);
    }
    return result;
}
std::vector<std::uint64_t> offsets(Access const& access, Rank rank) { return walked(access, rank, &Operation::offset); }

TEST(Operations, WalkTheNestOfARank) {
    EXPECT_EQ(offsets(inner_nest(), Rank{1}), (std::vector<std::uint64_t>{10, 18, 26, 110, 118, 126}));
    EXPECT_EQ(offsets(inner_nest(), Rank{3}), (std::vector<std::uint64_t>{1010, 1018, 1026, 1110, 1118, 1126}));
}

TEST(Operations, ARankThatTakesNoPartHasNone) {
    EXPECT_TRUE(offsets(inner_nest(), Rank{0}).empty());
    EXPECT_TRUE(offsets(inner_nest(), Rank{2}).empty());
    EXPECT_TRUE(offsets(inner_nest(), Rank{5}).empty());
}

TEST(Operations, ShuffledHasEachPieceOnceInAnotherOrder) {
    auto access = inner_nest();
    auto const in_order = offsets(access, Rank{1});
    access.order = {OrderKind::shuffled, 3, 0};
    auto const shuffled = offsets(access, Rank{1});
    EXPECT_NE(shuffled, in_order);
    EXPECT_EQ(std::set(shuffled.begin(), shuffled.end()), std::set(in_order.begin(), in_order.end()));
    EXPECT_EQ(shuffled, offsets(access, Rank{1}));
}

TEST(Operations, RandomDrawsAsManyAsAsked) {
    auto access = inner_nest();
    access.order = {OrderKind::random, 3, 100};
    auto const drawn = offsets(access, Rank{1});
    auto const in_order = offsets(inner_nest(), Rank{1});
    EXPECT_EQ(drawn.size(), 100U);
    EXPECT_EQ(std::set(drawn.begin(), drawn.end()), std::set(in_order.begin(), in_order.end()));
    EXPECT_NE(drawn, offsets(access, Rank{3}));
}

TEST(Operations, OfAnotherSeedAreInAnotherOrder) {
    auto access = testing::access_of({0, 2, 1}, {}, {0, {{40, 8}}, 8});
    for (auto const kind : {OrderKind::shuffled, OrderKind::random, OrderKind::random_partition}) {
        access.order = {kind, 3, 20};
        auto const of_three = offsets(access, Rank{1});
        access.order.seed = 4;
        EXPECT_NE(offsets(access, Rank{1}), of_three) << to_text(kind);
        access.order.seed = 3;
        EXPECT_EQ(offsets(access, Rank{1}), of_three) << to_text(kind);
    }
    access.lists = PieceLists({{}, std::vector<Piece>(40, Piece{0, 8})});
    access.order = {OrderKind::shuffled, 3, 0};
    auto const places = [&] { return walked(access, Rank{1}, &Operation::ordinal); };
    auto const of_three = places();
    access.order.seed = 4;
    EXPECT_NE(places(), of_three);
}

TEST(Operations, OfListsAreDisplacedByTheStart) {
    Access access;
    access.extent.start = 100;
    access.lists = PieceLists({{{16, 8}, {0, 4}}});
    EXPECT_EQ(offsets(access, Rank{0}), (std::vector<std::uint64_t>{116, 100}));
    EXPECT_EQ(list_io_pieces(access, Rank{0}), (std::vector<Piece>{{100, 4}, {116, 8}}));
}

TEST(Operations, OrdinalCountsPiecesInFileOrder) {
    auto access = inner_nest();
    access.order = {OrderKind::shuffled, 3, 0};
    auto const in_order = offsets(inner_nest(), Rank{1});
    Operations operations(access, Rank{1});
    for (Operation o; operations.next(o);) {
        EXPECT_EQ(in_order.at(o.ordinal), o.offset);
    }
}

TEST(Operations, EndAtALimit) {
    Operations operations(inner_nest(), Rank{1});
    operations.limit(2);
    Operation o;
    EXPECT_TRUE(operations.next(o));
    EXPECT_TRUE(operations.next(o));
    EXPECT_FALSE(operations.next(o));
    EXPECT_EQ(o.offset, 18U);
}

TEST(Operations, ThatAreDealtGoToOneRankEach) {
    auto const pattern = make_pattern(
        {.ranks = 5, .block = Bytes{8 * 13}, .transfer = Bytes{8}, .offsets = Offsets::random_partition, .seed = 3});
    std::map<std::uint64_t, std::uint64_t> owner;
    std::uint64_t runs = 0;
    for (std::uint64_t rank = 0; rank < 5; ++rank) {
        std::uint64_t before = 0;
        for (auto const& r : testing::requests_of(pattern, Rank{rank})) {
            if (r.reads) {
                EXPECT_EQ(owner.at(r.offset), rank) << "readers have the same hand";
            } else {
                EXPECT_TRUE(owner.emplace(r.offset, rank).second) << "in two parts: " << r.offset;
            }
            runs += r.offset == before + 8 ? 1 : 0;
            before = r.offset;
        }
    }
    EXPECT_EQ(owner.size(), 65U);
    EXPECT_LT(runs, 65U) << "a shuffled deck";
}

TEST(Operations, OfMixedVerbsSpreadTheirReadsEvenly) {
    Access access;
    access.verb = Verb::mixed;
    access.read_percent = 30;
    std::uint64_t reads = 0;
    for (std::uint64_t turn = 0; turn < 1000; ++turn) {
        reads += reads_at(access, turn) ? 1 : 0;
        EXPECT_NEAR(static_cast<double>(reads), 0.3 * static_cast<double>(turn + 1), 1);
    }
    EXPECT_EQ(reads, 300U);
}

TEST(PiecesTogether, LieInFileOrderAndAreMerged) {
    Access access;
    access.lists = PieceLists({{{40, 8}, {0, 8}, {8, 8}, {24, 8}}});
    EXPECT_EQ(list_io_pieces(access, Rank{0}), (std::vector<Piece>{{0, 16}, {24, 8}, {40, 8}}));
    access.lists = PieceLists({{{0, 8}, {4, 8}}});
    EXPECT_THROW(list_io_pieces(access, Rank{0}), Error);
    EXPECT_TRUE(list_io_pieces(access, Rank{7}).empty());
}

}  // namespace
}  // namespace weir
