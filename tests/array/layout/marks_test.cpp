#include "array/layout/marks.hpp"

#include <gtest/gtest.h>

#include <utility>

#include "array/layout/window.hpp"
#include "support/arrays/sections.hpp"

namespace weir::array {
namespace {

using testing::random_below;
using Span = std::pair<std::uint64_t, std::uint64_t>;

TEST(Marks, AreThoseOfEveryUnit) {
    std::mt19937_64 random(4);
    for (int trial = 0; trial < 300; ++trial) {
        SCOPED_TRACE(trial);
        auto const units = 1 + random_below(random, 300);
        Marks marks(units);
        std::vector<bool> held(units, false);
        for (auto n = random_below(random, 12); n > 0; --n) {
            auto const first = random_below(random, units);
            auto const count = random_below(random, std::min<std::uint64_t>(units - first, 150) + 1);
            bool fresh = true;
            for (auto i = first; i < first + count; ++i) {
                fresh = fresh && !held[i];
                held[i] = true;
            }
            ASSERT_EQ(marks.mark(first, count), fresh);
        }
        auto const from = random_below(random, units + 1);
        auto const to = from + random_below(random, units - from + 1);
        std::vector<Span> expected;
        for (auto i = from; i < to; ++i) {
            if (held[i] && !expected.empty() && expected.back().first + expected.back().second == i) {
                ++expected.back().second;
            } else if (held[i]) {
                expected.emplace_back(i, 1);
            }
        }
        std::vector<Span> found;
        marks.each_run(from, to, [&](std::uint64_t first, std::uint64_t count) { found.emplace_back(first, count); });
        ASSERT_EQ(found, expected);
        marks.clear();
        ASSERT_TRUE(marks.mark(0, units));
    }
}

TEST(HolesIn, AreWhatIsLeftOfAnExtent) {
    SlotExtent const extent{1000, 50, 20};
    auto const holes = [&](std::vector<SlotExtent> const& filled) {
        std::vector<Span> found;
        for (auto const& hole : holes_in(extent, filled)) {
            EXPECT_EQ(hole.position - 1000, hole.offset - 20);
            found.emplace_back(hole.offset, hole.length);
        }
        return found;
    };
    EXPECT_EQ(holes({}), (std::vector<Span>{{20, 50}}));
    EXPECT_EQ(holes({{1000, 50, 20}}), std::vector<Span>{});
    EXPECT_EQ(holes({{1000, 5, 20}, {1005, 2, 25}, {1010, 40, 30}}), (std::vector<Span>{{27, 3}}));
    EXPECT_EQ(holes({{1003, 5, 23}, {1040, 2, 60}}), (std::vector<Span>{{20, 3}, {28, 32}, {62, 8}}));
}

TEST(Joined, BridgesShortGapsOfWhatIsInStep) {
    std::vector<SlotExtent> const extents{{0, 10, 0}, {13, 5, 13}, {30, 5, 30}, {40, 2, 35}};
    auto const count = [&](std::uint64_t gap) { return joined(extents, gap).size(); };
    EXPECT_EQ(count(2), 4U);
    EXPECT_EQ(count(3), 3U);
    EXPECT_EQ(count(100), 2U) << "the last one lies elsewhere in the slot";
    EXPECT_EQ(joined(extents, 100).front().length, 35U);
}

}  // namespace
}  // namespace weir::array
