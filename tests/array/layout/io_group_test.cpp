#include "array/layout/io_group.hpp"

#include <gtest/gtest.h>

#include <set>

#include "support/arrays/random_layouts.hpp"

namespace weir::array {
namespace {

using testing::random_below;

using Positions = std::set<std::uint64_t>;

Positions positions(Region const& region) {
    Positions all;
    region.each_piece(0, region.bytes(), [&](std::uint64_t position, std::uint64_t length, std::uint64_t) {
        for (std::uint64_t i = 0; i < length; ++i) {
            all.insert(position + i);
        }
    });
    return all;
}

/// Arrays in blocks on one grid, as all ranks describe them.
Arrays random_grids(std::mt19937_64& random, std::uint64_t ranks) {
    auto const dims = 1 + random_below(random, 4);
    auto const grid = testing::random_grid(random, dims, ranks);
    auto const order = random_below(random, 2) == 0 ? WEIR_C_ORDER : WEIR_FORTRAN_ORDER;
    std::vector<Description> all;
    for (auto n = 1 + random_below(random, 2); n > 0; --n) {
        auto const shape = testing::random_shape(random, dims);
        auto const block = testing::random_counts(random, dims, 4);
        bool const cyclic = random_below(random, 3) == 0;
        all.push_back(describe_blocks(static_cast<int>(dims), shape.data(), cyclic ? block.data() : nullptr,
                                      grid.data(), 1 + random_below(random, 9), order));
    }
    return Arrays(std::move(all));
}

TEST(RowOf, MakesRowsWhoseRanksShareOneRegionThatIsWhatTheyHold) {
    std::mt19937_64 random(1);
    int divided = 0;
    for (int trial = 0; trial < 400; ++trial) {
        SCOPED_TRACE(trial);
        auto const ranks = 1 + random_below(random, 16);
        auto const arrays = random_grids(random, ranks);
        auto const target = 1 + random_below(random, 200);
        std::map<std::uint64_t, Positions> held;
        std::map<std::uint64_t, Positions> regions;
        std::uint64_t rows = 0;
        for (std::uint64_t rank = 0; rank < ranks; ++rank) {
            auto const row = row_of(arrays, {rank, ranks}, target);
            ASSERT_TRUE(row);
            rows = row->rows;
            for (auto const& part : arrays.share({rank, ranks}, Use::read)) {
                for (auto const& byte : testing::visited(part, 0, part.bytes())) {
                    held[row->colour].insert(byte.position);
                }
            }
            auto const region = positions(region_of(arrays, ranks, *row));
            ASSERT_EQ(regions.try_emplace(row->colour, region).first->second, region) << "rank " << rank;
        }
        ASSERT_EQ(regions.size(), rows);
        std::size_t bytes = 0;
        for (auto const& [colour, region] : regions) {
            ASSERT_EQ(held[colour], region);
            bytes += region.size();
        }
        ASSERT_EQ(bytes, arrays.bytes()) << "rows have nothing in common";
        divided += rows > 1 ? 1 : 0;
    }
    EXPECT_GT(divided, 50);
}

/// A cube of doubles on a grid.
Arrays cube(std::int64_t n, Indices const& grid, weir_order order = WEIR_C_ORDER) {
    Indices const shape{n, n, n};
    return Arrays({describe_blocks(3, shape.data(), nullptr, grid.data(), 8, order)});
}

TEST(RowOf, MergesAsFewDimensionsAsTheTargetNeeds) {
    auto const arrays = cube(64, {2, 4, 8});
    auto const of = [&](std::uint64_t target) { return *row_of(arrays, {0, 64}, target); };
    EXPECT_EQ(of(64).merged, 0U);  // 8 doubles along the last dimension
    EXPECT_EQ(of(64).rows, 64U);
    EXPECT_EQ(of(65).merged, 1U);
    EXPECT_EQ(of(65).piece_bytes, 64U * 8 * 16) << "16 whole lines follow each other";
    EXPECT_EQ(of(65).rows, 8U);
    EXPECT_EQ(of(64 * 8 * 16 + 1).merged, 2U);
    EXPECT_EQ(of(64 * 8 * 16 + 1).rows, 2U);
    EXPECT_EQ(of(~std::uint64_t{0}).rows, 1U);
}

TEST(RowOf, MergesTheFirstDimensionsInFortranOrder) {
    auto const row = *row_of(cube(64, {8, 4, 2}, WEIR_FORTRAN_ORDER), {13, 64}, 65);
    EXPECT_EQ(row.merged, 1U);
    EXPECT_EQ(row.rows, 8U);
    EXPECT_EQ(row.first, 13U % 8) << "the ranks of a row differ along the first dimension";
}

TEST(RowOf, IsNothingWithoutAGridInCommon) {
    auto const grid_of_two = cube(8, {2, 2, 1}).descriptions[0];
    auto const another = cube(8, {1, 2, 2}).descriptions[0];
    auto const turned = cube(8, {2, 2, 1}, WEIR_FORTRAN_ORDER).descriptions[0];
    auto const boxes = describe_boxes(1, Indices{8}.data(), 0, nullptr, nullptr, 8, WEIR_C_ORDER);
    EXPECT_TRUE(row_of(Arrays({grid_of_two, grid_of_two}), {0, 4}, 1));
    EXPECT_FALSE(row_of(Arrays({grid_of_two, another}), {0, 4}, 1));
    EXPECT_FALSE(row_of(Arrays({grid_of_two, turned}), {0, 4}, 1));
    EXPECT_FALSE(row_of(Arrays({grid_of_two, boxes}), {0, 4}, 1));
    EXPECT_FALSE(row_of(Arrays({grid_of_two, describe_replicated(4, 8)}), {0, 4}, 1));
    EXPECT_FALSE(row_of(Arrays({describe_replicated(4, 8)}), {0, 4}, 1));
}

TEST(Arrays, StandOneAfterTheOtherInThePlansSpace) {
    Arrays const arrays({cube(4, {1, 1, 2}).descriptions[0], describe_replicated(5, 2)});
    EXPECT_EQ(arrays.origins, (std::vector<std::uint64_t>{0, 512, 522}));
    EXPECT_EQ(bytes_of(arrays.share({1, 2}, Use::read)), 256U + 10);
    EXPECT_EQ(bytes_of(arrays.share({1, 2}, Use::write)), 256U);
}

}  // namespace
}  // namespace weir::array
