#include "array/layout/region.hpp"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace weir::array
