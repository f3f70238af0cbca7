#include <gtest/gtest.h>

#include <map>

#include "support/arrays/irregular.hpp"
#include "support/patterns/patterns.hpp"
#include "support/trials.hpp"

namespace weir {
namespace {

/// The most bytes that any rank writes.
std::uint64_t largest_sum(Pattern const& pattern) {
    std::uint64_t largest = 0;
    for (std::uint64_t rank = 0; rank < pattern.ranks; ++rank) {
        largest = std::max(largest, totals(pattern, Rank{rank}).bytes_written);
    }
    return largest;
}

TEST(Totals, AgreeWithEnumeratingEveryOperation) {
    testing::each_trial<std::mt19937>(300, 5, [&](std::mt19937& random) {
        auto const p = testing::random_parameters(random);
        auto const pattern = make_pattern(p);
        Totals counted;
        Totals of_ranks;
        std::map<std::string, std::uint64_t> sizes;
        for (std::uint64_t rank = 0; rank < p.ranks; ++rank) {
            std::uint64_t operations = 0;
            for (auto const& r : testing::requests_of(pattern, Rank{rank})) {
                (r.reads ? counted.bytes_read : counted.bytes_written) += r.length;
                sizes[r.file] = std::max(sizes[r.file], r.offset + r.length);
                ++operations;
            }
            counted.operations += operations;
            auto const own = totals(pattern, Rank{rank});
            ASSERT_EQ(own.operations, operations);
            of_ranks.bytes_written += own.bytes_written;
            of_ranks.bytes_read += own.bytes_read;
            of_ranks.opens += own.opens;
            of_ranks.syncs += own.syncs;
            of_ranks.closes += own.closes;
        }
        auto const all = totals(pattern);
        ASSERT_EQ(std::tie(all.bytes_written, all.bytes_read, all.operations),
                  std::tie(counted.bytes_written, counted.bytes_read, counted.operations));
        ASSERT_EQ(
            std::tie(all.bytes_written, all.bytes_read, all.opens, all.syncs, all.closes),
            std::tie(of_ranks.bytes_written, of_ranks.bytes_read, of_ranks.opens, of_ranks.syncs, of_ranks.closes));
        if (p.offsets != Offsets::random) {
            std::uint64_t on_disk = 0;
            for (auto const& [file, size] : sizes) {
                on_disk += size;
            }
            ASSERT_EQ(all.files, sizes.size());
            ASSERT_EQ(all.bytes_on_disk, on_disk);
        }
    });
}

TEST(Totals, OfListedPieces) {
    for (auto const together : {false, true}) {
        auto const pattern = testing::irregular_pattern(3, 100, together, false);
        std::uint64_t bytes = 0;
        std::uint64_t end = 0;
        std::uint64_t pieces = 0;
        for (auto const& r : testing::requests_of(pattern)) {
            bytes += r.reads ? 0 : r.length;
            end = std::max(end, r.offset + r.length);
            pieces += r.reads ? 0 : 1;
        }
        auto const all = totals(pattern);
        EXPECT_EQ(all.bytes_written, bytes);
        EXPECT_EQ(all.bytes_read, bytes);
        EXPECT_EQ(all.bytes_on_disk, end);
        EXPECT_EQ(all.operations, 2 * (together ? 3 : pieces));
        auto const own = testing::requests_of(pattern, Rank{1}).size();
        EXPECT_EQ(totals(pattern, Rank{1}).operations, together ? 2 : own);
        EXPECT_EQ(largest_request(pattern), together ? largest_sum(pattern) : 40U);
    }
}

TEST(TimeBound, IsKnownWhereEveryPhaseHasALimit) {
    Parameters p;
    EXPECT_FALSE(time_bound(make_pattern(p)));
    p.time_limit = Seconds{3};
    EXPECT_DOUBLE_EQ(time_bound(make_pattern(p))->value, 6) << "the read is limited by the write";
    p.wear_out = true;
    p.tail_limit = Seconds{1};
    EXPECT_DOUBLE_EQ(time_bound(make_pattern(p))->value, 8);
    auto pattern = make_pattern(p);
    pattern.phases[0].tail_limit = {};
    EXPECT_FALSE(time_bound(pattern)) << "such a tail has no bound";
}

TEST(Totals, OfMoreRanksThanCouldBeEnumerated) {
    auto const all =
        totals(make_pattern({.ranks = 100'000, .block = Bytes{1ULL << 30}, .transfer = Bytes{1024}, .segments = 8}));
    EXPECT_EQ(all.bytes_written, 100'000ULL * 8 << 30);
    EXPECT_EQ(all.operations, 2 * 100'000ULL * 8 * (1 << 20));
    EXPECT_EQ(all.bytes_on_disk, 100'000ULL * 8 << 30);
    EXPECT_EQ(all.files, 1U);
}

}  // namespace
}  // namespace weir
