#include "array/layout/region.hpp"

#include <gtest/gtest.h>

#include "array/layout/file_domain.hpp"
#include "support/arrays/sections.hpp"

namespace weir::array {
namespace {

using testing::Byte;
using testing::random_below;

/// The positions of ordinals [from, to), in order.
std::vector<std::uint64_t> positions(Region const& region, std::uint64_t from, std::uint64_t to) {
    std::vector<std::uint64_t> all;
    region.each_piece(from, to, [&](std::uint64_t position, std::uint64_t length, std::uint64_t ordinal) {
        EXPECT_EQ(ordinal, from + all.size());
        for (std::uint64_t i = 0; i < length; ++i) {
            all.push_back(position + i);
        }
    });
    return all;
}

TEST(Region, NumbersTheBytesOfItsSectionsInOrder) {
    std::mt19937_64 random(1);
    for (int trial = 0; trial < 300; ++trial) {
        std::vector<Section> sections;
        std::vector<std::uint64_t> expected;
        std::uint64_t origin = 0;
        for (auto n = random_below(random, 4); n > 0; --n) {
            sections.push_back(testing::random_section(random));
            sections.back().origin = origin;
            origin = sections.back().array_end();
            for (auto const& byte : testing::bytes_of(sections.back())) {
                expected.push_back(byte.position);
            }
        }
        Region const region(sections);
        ASSERT_EQ(region.bytes(), expected.size());
        auto const from = random_below(random, expected.size() + 1);
        auto const to = from + random_below(random, expected.size() + 1 - from);
        ASSERT_EQ(positions(region, from, to),
                  std::vector<std::uint64_t>(expected.begin() + static_cast<std::ptrdiff_t>(from),
                                             expected.begin() + static_cast<std::ptrdiff_t>(to)));
    }
    EXPECT_EQ(Region().bytes(), 0U);
    EXPECT_TRUE(positions(Region(), 0, 5).empty());
    EXPECT_EQ(positions(Region::whole(10), 3, 5), (std::vector<std::uint64_t>{3, 4}));
}

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

}  // namespace
}  // namespace weir::array
