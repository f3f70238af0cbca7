#include "array/layout/file_domain.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/arrays/sections.hpp"

namespace weir::array {
namespace {

using testing::random_below;

/// The domains of all aggregators one after the other, and the windows of each, are ordinals 0 to `bytes`, once each.
void check_domains(std::uint64_t bytes, std::uint64_t aggregators, std::uint64_t align, std::uint64_t window,
                   std::uint64_t phase) {
    SCOPED_TRACE(::testing::Message() << bytes << " bytes, " << aggregators << " aggregators, align " << align
                                      << ", window " << window << ", phase " << phase);
    std::uint64_t at = 0;
    for (std::uint64_t i = 0; i < aggregators; ++i) {
        auto const domain = file_domain(bytes, aggregators, i, align, window, phase);
        ASSERT_EQ(domain.begin, at);
        ASSERT_LE(domain.begin, domain.end);
        for (std::uint64_t w = 0; w < domain.windows(); ++w) {
            auto const [from, to] = domain.window_at(w);
            ASSERT_EQ(from, at);
            ASSERT_LT(from, to);
            ASSERT_LE(to - from, window);
            ASSERT_TRUE(to == domain.end || (to + phase) % window == 0);
            at = to;
        }
        ASSERT_EQ(at, domain.end);
        ASSERT_TRUE(domain.end == 0 || domain.end == bytes || (domain.end + phase) % align == 0);
    }
    ASSERT_EQ(at, bytes);
}

TEST(FileDomain, WindowsCoverAllOfItOnceAndAreAligned) {
    std::mt19937_64 random(2);
    for (int trial = 0; trial < 2000; ++trial) {
        auto const align = 1 + random_below(random, 40);
        auto const window =
            random_below(random, 2) == 0 ? 1 + random_below(random, 50) : align * (1 + random_below(random, 5));
        check_domains(random_below(random, 1000), 1 + random_below(random, 12), align, window,
                      random_below(random, align));
    }
}

TEST(FileDomain, IsAsLargeAsTheOthersButForAlignment) {
    for (std::uint64_t i = 0; i < 7; ++i) {
        auto const domain = file_domain(1000, 7, i, 10, 100, 0);
        EXPECT_NEAR(static_cast<double>(domain.end - domain.begin), 1000.0 / 7, 10.0);
    }
    auto const last = file_domain(100, 4, 3, 4096, 4096, 0);
    EXPECT_EQ(last.end - last.begin, 100U) << "one of them has all where a stripe holds more";
}

TEST(FileDomain, HoldsBeyondThirtyTwoBits) {
    check_domains((std::uint64_t{5} << 40) + 12345, 7, 1 << 20, std::uint64_t{1} << 30, 4096);
    auto const domain = file_domain(std::uint64_t{1} << 62, 1000, 999, 1 << 20, 1 << 22, 0);
    EXPECT_EQ(domain.end, std::uint64_t{1} << 62);
    EXPECT_EQ(domain.windows(), (domain.end - domain.begin + (1 << 22) - 1) >> 22U);
    // A boundary that no file has: not wrapped around to a small one.
    check_domains(1000, 3, std::uint64_t{1} << 63, 100, 0);
}

TEST(FileDomain, IsAsLargeAsAnyOtherButForAByte) {
    for (std::uint64_t const bytes : {0U, 1U, 5U, 12U, 97U, 1000U, 4099U}) {
        for (std::uint64_t const aggregators : {1U, 2U, 3U, 7U, 64U}) {
            std::uint64_t least = bytes;
            std::uint64_t most = 0;
            for (std::uint64_t i = 0; i < aggregators; ++i) {
                auto const domain = file_domain(bytes, aggregators, i, 1, 16, 0);
                least = std::min(least, domain.end - domain.begin);
                most = std::max(most, domain.end - domain.begin);
            }
            EXPECT_LE(most - least, 1U) << bytes << " bytes, " << aggregators << " aggregators";
        }
    }
}

}  // namespace
}  // namespace weir::array
