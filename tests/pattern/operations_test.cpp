#include "pattern/operations.hpp"

#include <gtest/gtest.h>

#include <set>

namespace weir {
namespace {

Access nest() {
    Access access;
    access.ranks = {1, 2, 2};  // ranks 1 and 3
    access.rank_levels = {{2, 1000}};
    access.extent = {10, {{2, 100}, {3, 8}}, 8};
    return access;
}

std::vector<std::uint64_t> offsets(Access const& access, Rank rank) {
    std::vector<std::uint64_t> result;
    Operations operations(access, rank);
    for (Operation o; operations.next(o);) {
        result.push_back(o.offset);
    }
    return result;
}

TEST(Operations, WalkTheNestOfARank) {
    EXPECT_EQ(offsets(nest(), Rank{1}), (std::vector<std::uint64_t>{10, 18, 26, 110, 118, 126}));
    EXPECT_EQ(offsets(nest(), Rank{3}), (std::vector<std::uint64_t>{1010, 1018, 1026, 1110, 1118, 1126}));
}

TEST(Operations, ARankThatTakesNoPartHasNone) {
    EXPECT_TRUE(offsets(nest(), Rank{0}).empty());
    EXPECT_TRUE(offsets(nest(), Rank{2}).empty());
    EXPECT_TRUE(offsets(nest(), Rank{5}).empty());
}

TEST(Operations, ShuffledHasEachPieceOnceInAnotherOrder) {
    auto access = nest();
    auto const in_order = offsets(access, Rank{1});
    access.order = {OrderKind::shuffled, 3, 0};
    auto const shuffled = offsets(access, Rank{1});
    EXPECT_NE(shuffled, in_order);
    EXPECT_EQ(std::set(shuffled.begin(), shuffled.end()), std::set(in_order.begin(), in_order.end()));
    EXPECT_EQ(shuffled, offsets(access, Rank{1}));
}

TEST(Operations, RandomDrawsAsManyAsAsked) {
    auto access = nest();
    access.order = {OrderKind::random, 3, 100};
    auto const drawn = offsets(access, Rank{1});
    auto const in_order = offsets(nest(), Rank{1});
    EXPECT_EQ(drawn.size(), 100U);
    EXPECT_EQ(std::set(drawn.begin(), drawn.end()), std::set(in_order.begin(), in_order.end()));
    EXPECT_NE(drawn, offsets(access, Rank{3}));
}

TEST(Operations, OrdinalCountsPiecesInFileOrder) {
    auto access = nest();
    access.order = {OrderKind::shuffled, 3, 0};
    auto const in_order = offsets(nest(), Rank{1});
    Operations operations(access, Rank{1});
    for (Operation o; operations.next(o);) {
        EXPECT_EQ(in_order.at(o.ordinal), o.offset);
    }
}

TEST(Operations, EndAtALimit) {
    Operations operations(nest(), Rank{1});
    operations.limit(2);
    Operation o;
    EXPECT_TRUE(operations.next(o));
    EXPECT_TRUE(operations.next(o));
    EXPECT_FALSE(operations.next(o));
    EXPECT_EQ(o.offset, 18U);
}

}  // namespace
}  // namespace weir
