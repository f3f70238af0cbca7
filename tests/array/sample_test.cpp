#include "array/sample.hpp"

#include <gtest/gtest.h>

#include "array/describe.hpp"
#include "array/team.hpp"

namespace weir::array {
namespace {

constexpr std::uint64_t MiB = 1 << 20;

Description blocks(Indices const& shape, Indices const& grid, weir_order order = WEIR_C_ORDER,
                   Indices const& block = {}) {
    return describe_blocks(static_cast<int>(shape.size()), shape.data(), block.empty() ? nullptr : block.data(),
                           grid.empty() ? nullptr : grid.data(), 8, order);
}

/// Of the runs that a rank holds, the mean length.
std::uint64_t run_bytes(Description const& d, Place place) {
    std::uint64_t bytes = 0;
    std::uint64_t runs = 0;
    for (auto const& part : Arrays({d}).share(place, Use::write)) {
        bytes += part.bytes();
        runs += count_runs(part);
    }
    return bytes / runs;
}

TEST(Sample, HasTheSameRunsAndFewerOfThem) {
    for (auto const order : {WEIR_C_ORDER, WEIR_FORTRAN_ORDER}) {
        auto const all = blocks({512, 512, 512}, {2, 2, 2}, order);
        auto const sample = sample_of({all}, 8, 64 * MiB);
        ASSERT_TRUE(sample);
        EXPECT_LE(sample->front().bytes(), 64 * MiB);
        EXPECT_GT(sample->front().bytes(), 32 * MiB);
        for (std::uint64_t rank = 0; rank < 8; ++rank) {
            EXPECT_EQ(run_bytes(sample->front(), {rank, 8}), 2048U);
        }
    }
}

TEST(Sample, KeepsTheGridThatWasChosenForAll) {
    auto const all = blocks({4096, 1024, 64}, {});
    auto const sample = sample_of({all}, 16, MiB);
    ASSERT_TRUE(sample);
    EXPECT_EQ(grid_of(sample->front(), 16), grid_of(all, 16));
}

TEST(Sample, LeavesABlockForEachRank) {
    auto const sample = sample_of({blocks({10000, 1000, 8}, {4, 5, 1}, WEIR_C_ORDER, {3, 7, 0})}, 20, MiB);
    ASSERT_TRUE(sample);
    for (std::uint64_t rank = 0; rank < 20; ++rank) {
        EXPECT_GT(bytes_of(Arrays(*sample).share({rank, 20}, Use::write)), 0U) << rank;
    }
}

TEST(Sample, IsAllOfWhatIsSmall) {
    auto const all = blocks({10, 10}, {2, 1});
    EXPECT_EQ(sample_of({all, describe_replicated(5, 8)}, 2, MiB)->front().shape, all.shape);
}

TEST(Sample, OfAPartLiesInASmallerWhole) {
    auto d = blocks({1000, 100, 100}, {2, 1, 1});
    Indices const larger{5000, 120, 130};
    Indices const start{4000, 10, 10};
    put_within(d, larger.data(), start.data());
    auto const sample = sample_of({d}, 2, MiB);
    ASSERT_TRUE(sample);
    auto const& part = sample->front();
    EXPECT_LE(part.file_bytes(), MiB);
    EXPECT_EQ(part.larger_shape[1], 120);
    EXPECT_EQ(part.larger_start[1], 10);
    EXPECT_EQ(part.larger_start[0], 0);
    EXPECT_EQ(part.larger_shape[0], part.shape[0]);
}

TEST(Sample, OfWhatAllRanksHoldIsShorter) {
    auto const sample = sample_of({describe_replicated(1 << 20, 8)}, 4, MiB);
    ASSERT_TRUE(sample);
    EXPECT_EQ(sample->front().bytes(), MiB);
}

TEST(Sample, CannotBeOfLargeListsNorOfRowsThatAreTooLong) {
    std::int64_t const first = 0;
    std::int64_t const length = 1 << 20;
    EXPECT_FALSE(sample_of({describe_pieces(1 << 20, 1, &first, &length, 8)}, 1, MiB));
    EXPECT_FALSE(sample_of({blocks({2, 1 << 20}, {2, 1})}, 2, MiB));
}

}  // namespace
}  // namespace weir::array
