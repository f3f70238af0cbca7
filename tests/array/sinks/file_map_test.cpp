#include "array/sinks/file_map.hpp"

#include <gtest/gtest.h>

#include "support/arrays/random_layouts.hpp"

namespace weir::array {
namespace {

using testing::Layout;
using testing::random_below;

TEST(FileMap, PutsEachByteOfThePlansSpaceIntoTheFile) {
    std::mt19937_64 random(1);
    for (int trial = 0; trial < 300; ++trial) {
        SCOPED_TRACE(trial);
        std::vector<Layout> layouts;
        std::vector<Description> descriptions;
        for (auto n = 1 + random_below(random, 4); n > 0; --n) {
            layouts.push_back(testing::random_layout(random, 1));
            descriptions.push_back(described(layouts.back(), 0));
        }
        Arrays const arrays(descriptions);
        auto offsets = FileMap::packed_offsets(arrays, static_cast<std::int64_t>(random_below(random, 100)));
        if (random_below(random, 2) == 0) {
            offsets[random_below(random, offsets.size())] = 50000;
        }
        std::vector<std::uint64_t> expected;
        for (std::size_t a = 0; a < layouts.size(); ++a) {
            for (std::uint64_t number = 0; number < layouts[a].elements(); ++number) {
                for (std::uint64_t b = 0; b < layouts[a].element_bytes; ++b) {
                    expected.push_back(static_cast<std::uint64_t>(offsets[a]) + place_in_file(layouts[a], number) + b);
                }
            }
        }
        FileMap const map(arrays, offsets);
        ASSERT_EQ(map.begin(), *std::ranges::min_element(expected));
        ASSERT_EQ(map.end(), *std::ranges::max_element(expected) + 1);
        auto const from = random_below(random, expected.size());
        auto const length = random_below(random, expected.size() - from + 1);
        std::vector<std::uint64_t> places;
        map.each(from, length, [&](std::uint64_t offset, std::uint64_t bytes, std::uint64_t before) {
            ASSERT_EQ(before, places.size());
            for (std::uint64_t i = 0; i < bytes; ++i) {
                places.push_back(offset + i);
            }
        });
        ASSERT_EQ(places, std::vector<std::uint64_t>(expected.begin() + static_cast<std::ptrdiff_t>(from),
                                                     expected.begin() + static_cast<std::ptrdiff_t>(from + length)));
    }
}

TEST(FileMap, TakesArraysThatFollowEachOtherAsOnePiece) {
    Arrays const arrays({describe_replicated(10, 8), describe_replicated(5, 4), describe_replicated(3, 1)});
    int pieces = 0;
    FileMap(arrays, FileMap::packed_offsets(arrays, 7))
        .each(0, arrays.bytes(), [&](std::uint64_t offset, std::uint64_t bytes, std::uint64_t) {
            ++pieces;
            EXPECT_EQ(offset, 7U);
            EXPECT_EQ(bytes, 103U);
        });
    EXPECT_EQ(pieces, 1);
}

}  // namespace
}  // namespace weir::array
