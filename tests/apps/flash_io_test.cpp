// The benchmark's files: counts and bytes as the originals'.

#include "apps/flash/io/flash_io_files.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "apps/common/run/pattern_of_dumps.hpp"
#include "apps/flash/io/unknowns.hpp"

namespace weir::flash {
namespace {

std::uint64_t cubed(std::uint64_t n) { return n * n * n; }

/// Bytes of the phases checkpoint, plot and corner.
std::vector<std::uint64_t> bytes_of_files(IoShape const& shape, std::uint64_t ranks) {
    auto const pattern = pattern_of_dumps(plan_of(shape, ranks, "f_"), {.steps = 1, .every = 1}, false);
    std::vector<std::uint64_t> bytes;
    for (auto const& phase : pattern.phases) {
        auto one = pattern;
        one.phases = {phase};
        bytes.push_back(totals(one).bytes_written);
    }
    return bytes;
}

TEST(FlashIo, GivesRanksUpToTwoBlocksMore) {
    for (std::uint64_t ranks = 1; ranks < 20; ++ranks) {
        std::uint64_t sum = 0;
        for (std::uint64_t rank = 0; rank < ranks; ++rank) {
            sum += 80 + rank % 3;
        }
        EXPECT_EQ(all_blocks({.blocks = 80}, ranks), sum) << ranks;
    }
    EXPECT_EQ(all_blocks({.blocks = 80}, 512), 41'471U) << "the sample of PnetCDF's README";
}

/// Raw data by T (164 + 192 n^3), T (116 + 16 n^3), T (116 + 16 (n + 1)^3), and the header of 196 or 104 bytes.
TEST(FlashIo, WritesTheBytesOfTheOriginal) {
    for (auto const side : {8U, 16U, 32U}) {
        for (auto const ranks : {1U, 2U, 3U, 4U, 64U, 508U}) {
            IoShape const shape{.side = side, .blocks = side == 8 ? 80U : 160U};
            auto const t = all_blocks(shape, ranks);
            std::vector<std::uint64_t> const expected{196 + t * (164 + 192 * cubed(side)),
                                                      104 + t * (116 + 16 * cubed(side)),
                                                      104 + t * (116 + 16 * cubed(side + 1))};
            EXPECT_EQ(bytes_of_files(shape, ranks), expected) << side << " on " << ranks;
        }
    }
}

/// Sizes of the version for PnetCDF, without its header of 3072 and 1536 bytes.
TEST(FlashIo, WritesTheBytesOfTheVersionForPnetcdf) {
    IoShape const shape{.side = 8, .blocks = 80, .netcdf = true};
    std::uint64_t const header = 40 + 20 + 5 * 4;
    EXPECT_EQ(bytes_of_files(shape, 2),
              (std::vector<std::uint64_t>{15'856'420 - 3072 + header + 8, 1'339'124 - 1536 + header + 4,
                                          1'898'116 - 1536 + header + 4}));
    EXPECT_EQ(bytes_of_files(shape, 4).front(), 31'808'236 - 3072 + header + 8);
}

TEST(FlashIo, Has34And14Datasets) {
    EXPECT_EQ(arrays_of({}, FileKind::checkpoint, 2).size(), 34U);
    EXPECT_EQ(arrays_of({}, FileKind::plot, 2).size(), 14U);
    EXPECT_EQ(arrays_of({}, FileKind::corner, 2).size(), 14U);
    EXPECT_EQ(arrays_of({.datasets = UnknownDatasets::one}, FileKind::checkpoint, 2).size(), 11U);
}

/// Saini et al. (2006), section 5: 8 bytes x 8 x 8 x 8 x 80 blocks are 327,680 bytes, 24 of them 7,864,320.
TEST(FlashIo, WritesRecordsOfThePapersSize) {
    auto const pattern = pattern_of_dumps(plan_of({}, 1, ""), {.steps = 1, .every = 1}, false);
    std::uint64_t records = 0;
    each_access(pattern.phases.front().steps, [&](Access const& access, Loops const&) {
        if (access.part->what.shape.size() == 4) {
            EXPECT_EQ(volume(access, Rank{0}).bytes, 327'680U);
            EXPECT_EQ(volume(access, Rank{0}).requests, 1U);
            records += volume(access, Rank{0}).bytes;
        }
    });
    EXPECT_EQ(records, 7'864'320U);
}

/// Section 4: checkpoints grow "eight" and "sixteen" times from 16 to 32 and from 8 to 16 cells a side.
TEST(FlashIo, GrowsAsThePapersFiles) {
    auto const of = [](std::uint64_t side) {
        return static_cast<double>(bytes_of_files({.side = side, .blocks = side == 8 ? 80U : 160U}, 48).front());
    };
    EXPECT_NEAR(of(32) / of(16), 8.00, 0.005);
    EXPECT_NEAR(of(16) / of(8), 15.9, 0.05);
}

/// Headers and trees are independent, unknowns collective: all of them may be made independent.
TEST(FlashIo, WritesOnlyUnknownsTogether) {
    auto const plan = plan_of({}, 2, "");
    std::size_t together = 0;
    each_access(plan.dump, [&](Access const& access, Loops const&) {
        auto const is_unknown = access.part->what.shape.size() == 4;
        EXPECT_EQ(access.collective, is_unknown) << access.part->what.name;
        together += is_unknown ? 1 : 0;
    });
    EXPECT_EQ(together, 24U + 4 + 4);
}

class UnknownsInMemory : public ::testing::TestWithParam<MemoryOrder> {};

TEST_P(UnknownsInMemory, AreTheirNumbers) {
    for (std::size_t const side : {2U, 6U}) {
        Unknowns const unknowns(3, side, GetParam());
        std::vector<double> whole(3 * side * side * side);
        unknowns.copy<double>(0, {0, 3}, whole);
        EXPECT_EQ(whole, std::vector<double>(whole.size(), 1));
        unknowns.copy<double>(23, {0, 3}, whole);
        EXPECT_EQ(whole, std::vector<double>(whole.size(), 24));
        std::vector<float> corners((side + 1) * (side + 1) * (side + 1));
        unknowns.copy_corners(4, {2, 3}, corners);
        EXPECT_EQ(corners, std::vector<float>(corners.size(), 5));
    }
}

TEST_P(UnknownsInMemory, AreCopiedWithoutGuardCells) {
    constexpr std::size_t side = 4, width = side + 8, blocks = 3, before = 5;
    Unknowns const unknowns(blocks, side, GetParam(), UnknownValues::random, before);
    auto const value = [&](std::size_t block, std::size_t k, std::size_t j, std::size_t i) {
        return random_value(unknowns.place_of(7, before + block, ((k + 4) * width + j + 4) * width + i + 4));
    };
    std::vector<double> copied(2 * side * side * side);
    unknowns.copy<double>(7, {1, 3}, copied);
    std::vector<float> corners(2 * (side + 1) * (side + 1) * (side + 1));
    unknowns.copy_corners(7, {1, 3}, corners);
    std::size_t at = 0, corner = 0;
    for (std::size_t block = 1; block < 3; ++block) {
        for (std::size_t k = 0; k <= side; ++k) {
            for (std::size_t j = 0; j <= side; ++j) {
                for (std::size_t i = 0; i <= side; ++i) {
                    double sum = 0;
                    for (std::size_t near = 0; near < 8; ++near) {
                        sum += value(block, k - (near >> 2U), j - (near >> 1U & 1U), i - (near & 1U));
                    }
                    ASSERT_FLOAT_EQ(corners[corner++], static_cast<float>(sum / 8));
                    if (k < side && j < side && i < side) {
                        ASSERT_EQ(copied[at++], value(block, k, j, i));
                    }
                }
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Orders, UnknownsInMemory, ::testing::Values(MemoryOrder::interleaved, MemoryOrder::separate));

}  // namespace
}  // namespace weir::flash
