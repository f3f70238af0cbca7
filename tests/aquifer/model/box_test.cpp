#include "apps/aquifer/model/box.hpp"

#include <gtest/gtest.h>

#include "support/failures/error_of.hpp"

namespace weir::aquifer {
namespace {

TEST(AquiferBox, EachCellIsOfOneRank) {
    Box const box{{7, 5, 3}, {1, 1, 1}};
    for (std::uint64_t const size : {1, 2, 3, 4, 6, 12, 30}) {
        auto const ranks = ranks_for(box.cells, size);
        EXPECT_EQ(volume(ranks), static_cast<Index>(size));
        std::vector<int> held(static_cast<std::size_t>(volume(box.cells)));
        for (std::uint64_t rank = 0; rank < size; ++rank) {
            auto const block = block_of(box, ranks, rank);
            for (Index k = 0; k < block.cells[2]; ++k) {
                for (Index j = 0; j < block.cells[1]; ++j) {
                    for (Index i = 0; i < block.cells[0]; ++i) {
                        auto const x = block.start[0] + i, y = block.start[1] + j, z = block.start[2] + k;
                        ++held.at(static_cast<std::size_t>(x + 7 * (y + 5 * z)));
                    }
                }
            }
        }
        EXPECT_EQ(held, std::vector<int>(held.size(), 1)) << size;
    }
}

TEST(AquiferBox, CellsBeyondNumbersOf32BitsHaveTheirPlaces) {
    Triple const cells{100'000, 100'000, 10};
    for (auto const& cell : {Triple{99'999, 42'948, 0}, Triple{67'296, 42'949, 0}, Triple{7, 99'999, 9}}) {
        EXPECT_EQ(cell_of(cells, index_of(cells, cell)), cell);
    }
}

TEST(AquiferBox, RanksAreNumberedAlongXFirst) {
    Box const box{{7, 5, 3}, {1, 1, 1}};
    auto const block = block_of(box, {3, 2, 1}, 4);
    EXPECT_EQ(block.start, (Triple{3, 3, 0}));
    EXPECT_EQ(block.cells, (Triple{2, 2, 3}));
    EXPECT_EQ(block.ghosted_start, (Triple{2, 2, 0}));
    EXPECT_EQ(block.ghosted, (Triple{4, 3, 3}));
}

TEST(AquiferBox, MoreRanksThanCellsAreRefused) {
    EXPECT_EQ(testing::error_of([] {
                  ranks_for({1, 2, 1}, 3);
              })
                  .diagnosis()
                  .problem,
              "3 ranks cannot share 1x2x1 cells");
}

}  // namespace
}  // namespace weir::aquifer
