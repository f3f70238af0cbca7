// Beyond 32 bits, by arithmetic alone: nothing of these arrays is in memory.

#include <gtest/gtest.h>

#include "array/layout/description.hpp"
#include "array/layout/file_domain.hpp"
#include "array/layout/window.hpp"
#include "array/planner/choose_strategy.hpp"
#include "array/sinks/file_map.hpp"

namespace weir::array {
namespace {

constexpr std::uint64_t gib = std::uint64_t{1} << 30U;

/// 2048 x 2048 x 4096 doubles, 2^34 elements, 128 GiB, on 4 x 4 x 4 ranks.
struct Cube : ::testing::Test {
    Indices const shape{2048, 2048, 4096};
    Indices const grid{4, 4, 4};
    Arrays const arrays{{describe_blocks(3, shape.data(), nullptr, grid.data(), 8, WEIR_C_ORDER)}};
    Share const last = coalesced(arrays.share({63, 64}, Use::write));
};

TEST_F(Cube, HoldsItsBytesWhereTheyBelong) {
    EXPECT_EQ(arrays.bytes(), 128 * gib);
    auto const& section = *last[0].section();
    EXPECT_EQ(section.bytes(), 2 * gib);
    EXPECT_EQ(section.end(), 128 * gib);
    EXPECT_EQ(section.begin(), ((std::uint64_t{1536} * 2048 + 1536) * 4096 + 3072) * 8);
    EXPECT_EQ(section.count_before(128 * gib), 2 * gib);
    EXPECT_EQ(section.count_before(128 * gib - 8), 2 * gib - 8);
    auto const rows = section.rows_at(2 * gib - 2 * 8192, 2 * gib);
    EXPECT_EQ(rows.position, 128 * gib - 32768 - 8192);
    EXPECT_EQ(rows.memory, static_cast<std::int64_t>(2 * gib - 2 * 8192));
    EXPECT_EQ(rows.rows, 2U);
    EXPECT_EQ(rows.length, 8192U);
}

TEST_F(Cube, HasWindowsBehind32Bits) {
    auto const region = Region::whole(arrays.bytes());
    std::uint64_t bytes = 0;
    std::uint64_t windows = 0;
    for (std::uint64_t i = 0; i < 64; ++i) {
        auto const domain = file_domain(region.bytes(), 64, i, 4 << 20, 64 << 20, 0);
        bytes += Window(region, {domain.begin, domain.end}, last).bytes();
        windows += domain.windows();
    }
    EXPECT_EQ(bytes, 2 * gib);
    EXPECT_EQ(windows, 2048U);
    std::uint64_t offset = 0;
    Window(region, {128 * gib - (64 << 20), 128 * gib}, last).each_row([&](Part const&, Rows const& rows, auto at) {
        offset = at + (rows.rows - 1) * rows.position_step + rows.length;
    });
    EXPECT_EQ(offset, std::uint64_t{64} << 20U);
}

TEST_F(Cube, IsPackedIntoAFewHundredBytes) { EXPECT_LT(packed(last, 0, 128 * gib).size(), 500U); }

TEST(Large, BlocksOfAlmost63BitsAreDealtOut) {
    auto const n = std::int64_t{1} << 62;
    for (auto const block : {n, n - 1, n / 2, n / 3, std::int64_t{0}}) {
        for (std::int64_t const ranks : {1, 2, 3, 4, 8}) {
            auto const d = describe_blocks(1, &n, &block, &ranks, 1, WEIR_C_ORDER);
            std::uint64_t bytes = 0;
            std::uint64_t end = 0;
            for (std::uint64_t rank = 0; rank < static_cast<std::uint64_t>(ranks); ++rank) {
                for (auto const& part : share_of(d, {rank, static_cast<std::uint64_t>(ranks)}, Use::write, 0, 0)) {
                    bytes += part.bytes();
                    end = std::max(end, part.end());
                }
            }
            EXPECT_EQ(bytes, std::uint64_t{1} << 62U) << "blocks of " << block << " on " << ranks;
            EXPECT_EQ(end, std::uint64_t{1} << 62U) << "blocks of " << block << " on " << ranks;
        }
    }
}

TEST(Large, PiecesStandBehind32Bits) {
    Indices const offsets{std::int64_t{1} << 40, 3, (std::int64_t{1} << 40) + 2};
    auto const d = describe_pieces(std::int64_t{1} << 41, 3, offsets.data(), nullptr, 16);
    auto const share = share_of(d, {0, 1}, Use::write, 0, 0);
    EXPECT_EQ(share[0].bytes(), 48U);
    EXPECT_EQ(share[0].end(), ((std::uint64_t{1} << 40U) + 3) * 16);
    EXPECT_EQ(share[0].count_before((std::uint64_t{1} << 40U) * 16 + 16), 32U);
}

TEST(Large, APartOfAHugeArrayHasItsPlaceInTheFile) {
    Indices const shape{2, 3};
    Indices const larger{1 << 20, 1 << 20};
    Indices const start{(1 << 20) - 2, (1 << 20) - 3};
    auto d = describe_blocks(2, shape.data(), nullptr, nullptr, 8, WEIR_C_ORDER);
    put_within(d, larger.data(), start.data());
    FileMap const map(Arrays({d}), {5});
    EXPECT_EQ(map.end(), (std::uint64_t{8} << 40U) + 5);
    EXPECT_EQ(map.begin(), (std::uint64_t{8} << 40U) + 5 - (std::uint64_t{8} << 20U) - 24);
}

TEST(Large, NoMessageHas32Bits) {
    PlanFacts facts;
    facts.ranks = 2;
    facts.bytes = 1024 * gib;
    EXPECT_LE(choose(facts, parse_options("method=gather window=64GiB align=32GiB exchange=messages")).window, gib);
}

}  // namespace
}  // namespace weir::array
