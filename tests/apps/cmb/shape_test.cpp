#include "apps/cmb/model/shape.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "support/failures/error_of.hpp"

namespace weir::cmb {
namespace {

using weir::testing::expect_error;

TEST(CmbShape, PartsOfAllRanksAreTheMatrixOnce) {
    for (std::uint64_t const block : {1, 7, 15}) {
        for (std::uint64_t const gangs : {1, 4}) {
            Shape const shape{.ranks = 16, .pixels = 61, .gangs = gangs, .block = block};
            for (auto const among : {Among::all, Among::gang}) {
                std::vector<int> seen(shape.pixels * shape.pixels);
                for (std::uint64_t rank = 0; rank < shape.ranks_of(among); ++rank) {
                    MatrixPart const part(shape, among, Rank{rank});
                    std::uint64_t places = 0;
                    part.each([&](std::size_t place, std::uint64_t row, std::uint64_t column) {
                        EXPECT_EQ(place, places++);
                        ++seen[row * shape.pixels + column];
                    });
                    EXPECT_EQ(places, shape.elements(among, Rank{rank})) << block;
                    EXPECT_LE(places, shape.elements(among, Rank{0}));
                }
                EXPECT_TRUE(std::ranges::all_of(seen, [](int times) { return times == 1; }));
            }
        }
    }
}

TEST(CmbShape, AGangIsConsecutiveRanks) {
    Shape const shape{.ranks = 16, .gangs = 4};
    EXPECT_EQ(shape.gang_of(Rank{3}), 0U);
    EXPECT_EQ(shape.gang_of(Rank{4}), 1U);
    EXPECT_EQ(shape.side(Among::all), 4U);
    EXPECT_EQ(shape.side(Among::gang), 2U);
    EXPECT_EQ(shape.row_of(Among::gang, Rank{6}), 1U);
    EXPECT_EQ(shape.column_of(Among::gang, Rank{6}), 0U);
}

/// strace of MADbench2 with 500 pixels on one rank and FBLOCKSIZE 4096: facts, storage.md 4.3.
TEST(CmbShape, PartsBeginWhereThoseOfTheOriginalDo) {
    Shape const shape{.ranks = 1, .pixels = 500};
    EXPECT_EQ(shape.elements(Among::all, Rank{0}) * sizeof(double), 2'000'000U);
    EXPECT_EQ(shape.place_bytes(), 2'002'944U);
    EXPECT_EQ(Shape{.pixels = 512}.place_bytes(), 2'097'152U);
}

/// The place of a gang's part is that of as many parts of all ranks as there are gangs.
TEST(CmbShape, APlaceHoldsAGangsPart) {
    for (std::uint64_t pixels = 40; pixels < 60; ++pixels) {
        Shape const shape{.ranks = 16, .pixels = pixels, .gangs = 4, .block = 5, .alignment = 64};
        for (std::uint64_t rank = 0; rank < 16; ++rank) {
            EXPECT_LE(shape.elements(Among::all, Rank{rank}) * 8, shape.place_bytes());
            EXPECT_LE(shape.elements(Among::gang, Rank{rank}) * 8, 4 * shape.place_bytes());
        }
        EXPECT_EQ(shape.place_bytes() % 64, 0U);
    }
}

/// 24 GiB of each rank, and 2^31 numbers: the original's offsets overflow there.
TEST(CmbShape, RegionsMayBeLargerThan16GiB) {
    Shape const shape{.ranks = 4, .pixels = 40'960, .bins = 8, .block = 64};
    EXPECT_EQ(shape.place_bytes(), std::uint64_t{20'480} * 20'480 * 8);
    EXPECT_EQ(shape.region_bytes(), std::uint64_t{25} << 30U);
}

TEST(CmbShape, TheUsualBlockMakesPartsEqual) {
    EXPECT_EQ(usual_block(25'000, 64), 25U);
    EXPECT_EQ(usual_block(512, 4), 64U);
    EXPECT_EQ(usual_block(300, 9), 50U);
    EXPECT_EQ(usual_block(4, 1), 4U);
    EXPECT_EQ(usual_block(514, 4), 64U);  // halves of a prime number
    EXPECT_EQ(usual_block(100, 9), 33U);
    EXPECT_EQ(usual_block(2, 9), 1U);  // refused: too few blocks
}

TEST(CmbShape, WhatDoesNotFitIsRefused) {
    auto const refused = [](Shape const& shape, char const* words) {
        expect_error(ExitCode::usage, words, [&] { validate_shape(shape); });
    };
    validate_shape({.ranks = 36, .pixels = 600, .bins = 8, .gangs = 4});
    refused({.ranks = 2}, "2 ranks are not the square of a number");
    refused({.ranks = 4, .gangs = 2}, "gangs = 2 is not the square of a number");
    refused({.ranks = 4, .bins = 9, .gangs = 9}, "gangs = 9 does not divide the 4 ranks");
    refused({.ranks = 4, .bins = 6, .gangs = 4}, "gangs = 4 does not divide bins = 6");
    refused({.ranks = 9, .pixels = 100, .block = 64}, "100 pixels in blocks of 64 are too few");
    refused({.ranks = 4, .pixels = 1, .block = 1}, "Choose 2 pixels at least, or fewer ranks.");
    validate_shape({.ranks = 1, .pixels = 1, .block = 1});
}

TEST(CmbShape, TheGreatestBlockIsAdvised) {
    for (std::uint64_t const side : {2, 3, 5}) {
        for (std::uint64_t pixels = side; pixels < 40; ++pixels) {
            auto const error = weir::testing::error_of(
                [&] { validate_shape({.ranks = side * side, .pixels = pixels, .block = pixels}); });
            std::string const before = "Choose block = ";
            auto const advice = error.diagnosis().suggestion;
            ASSERT_TRUE(advice.starts_with(before)) << advice;
            Shape shape{.ranks = side * side, .pixels = pixels, .block = std::stoull(advice.substr(before.size()))};
            validate_shape(shape);
            ++shape.block;
            expect_error(ExitCode::usage, "are too few", [&] { validate_shape(shape); });
        }
    }
}

}  // namespace
}  // namespace weir::cmb
