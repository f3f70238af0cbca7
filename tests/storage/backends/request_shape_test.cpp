#include <gtest/gtest.h>

#include "storage/backends/twophase/request_plan.hpp"

namespace weir {
namespace {

using Pieces = std::vector<Piece>;

Pieces moved(Pieces pieces, std::uint64_t distance) {
    for (auto& piece : pieces) {
        piece.offset += distance;
    }
    return pieces;
}

TEST(RequestShape, IsTheSameWhereverItLies) {
    Pieces const pieces{{110, 5}, {120, 7}};
    RequestShape const shape(pieces, 100);
    EXPECT_EQ(shape.base_of(pieces), 100U);
    EXPECT_EQ(shape.base_of(moved(pieces, 1ULL << 40)), (1ULL << 40) + 100);
    EXPECT_EQ(shape.base_of(moved(pieces, -100ULL)), 0U);
}

TEST(RequestShape, DiffersInLengthsDistancesAndNumber) {
    RequestShape const shape(Pieces{{110, 5}, {120, 7}}, 100);
    for (auto const& other : {Pieces{{110, 5}, {120, 8}}, Pieces{{110, 5}, {121, 7}}, Pieces{{110, 5}}, Pieces{}}) {
        EXPECT_EQ(shape.base_of(other), std::nullopt);
    }
    EXPECT_EQ(shape.base_of(Pieces{{9, 5}, {19, 7}}), std::nullopt) << "the space would begin before the file";
    EXPECT_TRUE(RequestShape(Pieces{}, 100).empty());
    EXPECT_EQ(RequestShape(Pieces{}, 100).base_of(Pieces{}), std::nullopt);
}

TEST(Outline, LeavesLongGapsOut) {
    Pieces const pieces{{0, 10}, {15, 10}, {100, 10}, {109 + 20, 1}};
    EXPECT_EQ(outline(pieces, 20, 10), (Pieces{{0, 25}, {100, 30}}));
    EXPECT_EQ(outline(pieces, 19, 10), (Pieces{{0, 25}, {100, 10}, {129, 1}}));
    EXPECT_TRUE(outline(Pieces{}, 20, 10).empty());
}

TEST(Outline, HasNoMorePiecesThanItMay) {
    Pieces pieces;
    for (std::uint64_t i = 0; i < 1000; ++i) {
        pieces.push_back({i * i * 100, 1});
    }
    for (std::uint64_t const most : {1, 2, 7, 64, 2000}) {
        auto const rough = outline(pieces, 1, most);
        EXPECT_LE(rough.size(), most);
        EXPECT_EQ(rough.front().offset, 0U);
        EXPECT_EQ(rough.back().offset + rough.back().length, 999U * 999 * 100 + 1);
    }
}

TEST(United, HoldsEachByteOnce) {
    EXPECT_EQ(united({{50, 10}, {0, 10}, {5, 2}, {10, 5}, {14, 3}, {40, 10}}), (Pieces{{0, 17}, {40, 20}}));
    EXPECT_TRUE(united({}).empty());
}

TEST(RegionOfPieces, NumbersTheirBytesInOrder) {
    auto const region = region_of(Pieces{{100, 10}, {200, 5}}, 100);
    EXPECT_EQ(region.bytes(), 15U);
    std::vector<std::vector<std::uint64_t>> found;
    region.each_piece(4, 13, [&](auto... values) { found.push_back({values...}); });
    EXPECT_EQ(found, (std::vector<std::vector<std::uint64_t>>{{4, 6, 4}, {100, 3, 10}}));
    found.clear();
    region.each_piece(10, 15, [&](auto... values) { found.push_back({values...}); });
    EXPECT_EQ(found, (std::vector<std::vector<std::uint64_t>>{{100, 5, 10}}));
}

}  // namespace
}  // namespace weir
