#include <gtest/gtest.h>

#include <map>
#include <set>

#include "support/patterns.hpp"

namespace weir {
namespace {

TEST(Totals, AgreeWithEnumeratingEveryOperation) {
    std::mt19937 random(5);
    for (int trial = 0; trial < 300; ++trial) {
        auto const p = testing::random_parameters(random);
        auto const pattern = make_pattern(p);
        Totals counted;
        Totals of_ranks;
        std::map<std::string, std::uint64_t> sizes;
        for (std::uint64_t rank = 0; rank < p.ranks; ++rank) {
            std::uint64_t operations = 0;
            for (auto const& r : testing::requests_of(pattern, Rank{rank})) {
                (r.verb == Verb::write ? counted.bytes_written : counted.bytes_read) += r.length;
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
        ASSERT_EQ(all.bytes_written, counted.bytes_written);
        ASSERT_EQ(all.bytes_read, counted.bytes_read);
        ASSERT_EQ(all.operations, counted.operations);
        ASSERT_EQ(all.bytes_written, of_ranks.bytes_written);
        ASSERT_EQ(all.bytes_read, of_ranks.bytes_read);
        ASSERT_EQ(all.opens, of_ranks.opens);
        ASSERT_EQ(all.syncs, of_ranks.syncs);
        ASSERT_EQ(all.closes, of_ranks.closes);
        if (p.offsets != Offsets::random) {
            std::uint64_t on_disk = 0;
            for (auto const& [file, size] : sizes) {
                on_disk += size;
            }
            ASSERT_EQ(all.files, sizes.size());
            ASSERT_EQ(all.bytes_on_disk, on_disk);
        }
    }
}

TEST(Totals, OfMoreRanksThanCouldBeEnumerated) {
    Parameters p;
    p.ranks = 100'000;
    p.block = Bytes{1ULL << 30};
    p.transfer = Bytes{1024};
    p.segments = 8;
    auto const all = totals(make_pattern(p));
    EXPECT_EQ(all.bytes_written, 100'000ULL * 8 << 30);
    EXPECT_EQ(all.operations, 2 * 100'000ULL * 8 * (1 << 20));
    EXPECT_EQ(all.bytes_on_disk, 100'000ULL * 8 << 30);
    EXPECT_EQ(all.files, 1U);
}

}  // namespace
}  // namespace weir
