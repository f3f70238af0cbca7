#include "core/array_section.hpp"

#include <gtest/gtest.h>

#include <set>

#include "support/arrays/sections.hpp"

namespace weir {
namespace {

using testing::Byte;
using testing::bytes_of;
using testing::random_below;
using testing::random_section;
using testing::visited;

struct RandomSections : ::testing::Test {
    std::mt19937_64 random{1};

    template <class Check>
    void each(int trials, Check check) {
        for (int trial = 0; trial < trials; ++trial) {
            SCOPED_TRACE(trial);
            auto const section = random_section(random);
            check(section, bytes_of(section));
            if (HasFailure()) {
                return;
            }
        }
    }
};

TEST_F(RandomSections, KnowTheirBytesAndTheirEnds) {
    each(1000, [](Section const& section, std::vector<Byte> const& bytes) {
        ASSERT_EQ(section.bytes(), bytes.size());
        ASSERT_EQ(section.begin(), bytes.empty() ? section.origin : bytes.front().position);
        ASSERT_EQ(section.end(), bytes.empty() ? section.origin : bytes.back().position + 1);
    });
}

TEST_F(RandomSections, CountTheBytesBeforeAnyPosition) {
    each(300, [](Section const& section, std::vector<Byte> const& bytes) {
        std::uint64_t before = 0;
        for (std::uint64_t position = 0; position < section.array_end() + 5; ++position) {
            ASSERT_EQ(section.count_before(position), before) << "position " << position;
            before += before < bytes.size() && bytes[before].position == position ? 1 : 0;
        }
        ASSERT_EQ(section.count_before(~std::uint64_t{0}), bytes.size());
    });
}

TEST_F(RandomSections, GoThroughAnyRangeOfTheirBytesInOrder) {
    each(500, [this](Section const& section, std::vector<Byte> const& bytes) {
        ASSERT_EQ(visited(section, 0, bytes.size()), bytes);
        for (int i = 0; i < 8; ++i) {
            auto const from = random_below(random, bytes.size() + 1);
            auto const to = from + random_below(random, bytes.size() + 1 - from);
            ASSERT_EQ(visited(section, from, to), std::vector<Byte>(bytes.begin() + static_cast<std::ptrdiff_t>(from),
                                                                    bytes.begin() + static_cast<std::ptrdiff_t>(to)))
                << from << " to " << to;
        }
    });
}

TEST_F(RandomSections, HaveTheSameBytesWhenCoalesced) {
    int fewer = 0;
    each(500, [&](Section const& section, std::vector<Byte> const& bytes) {
        auto const least = coalesced(section);
        fewer += least.dims < section.dims ? 1 : 0;
        ASSERT_LE(least.dims, section.dims);
        ASSERT_EQ(bytes_of(least), bytes);
        ASSERT_EQ(visited(least, 0, bytes.size()), bytes);
        ASSERT_TRUE(bytes.empty() || coalesced(least).dims == least.dims);
    });
    EXPECT_GT(fewer, 50);
}

TEST_F(RandomSections, MeetWhereTheyHaveAByteInCommon) {
    int met = 0;
    each(2000, [&](Section const& a, std::vector<Byte> const& bytes) {
        auto b = random_section(random, testing::extents_of(a));
        b.origin = a.origin;
        std::set<std::uint64_t> mine;
        for (auto const& byte : bytes) {
            mine.insert(byte.position);
        }
        std::uint64_t first_common = ~std::uint64_t{0};
        for (auto const& byte : bytes_of(b)) {
            if (mine.contains(byte.position)) {
                first_common = std::min(first_common, byte.position);
            }
        }
        std::uint64_t position = ~std::uint64_t{0};
        ASSERT_EQ(meet(a, b, position), first_common != ~std::uint64_t{0});
        ASSERT_EQ(position, first_common);
        met += position != ~std::uint64_t{0} ? 1 : 0;
        b.origin += 1;
        ASSERT_FALSE(meet(a, b, position)) << "sections of two arrays";
    });
    EXPECT_GT(met, 200);
}

TEST(Dim, CountsTheOwnedPlacesBefore) {
    std::mt19937_64 random(2);
    for (int trial = 0; trial < 500; ++trial) {
        auto const dim = testing::random_dim(random, 1 + random_below(random, 30), true);
        auto const places = testing::places_of(dim);
        ASSERT_EQ(places.size(), dim.owned);
        for (std::uint64_t i = 0; i < places.size(); ++i) {
            ASSERT_EQ(dim.place(i), places[i]);
        }
        for (std::uint64_t i = 0; i <= dim.extent; ++i) {
            ASSERT_EQ(dim.owned_before(i), std::ranges::lower_bound(places, i) - places.begin());
        }
    }
}

TEST(Section, RowsAreAsManyAtOnceAsCanBeTold) {
    Section section;  // the middle 3 x 4 x 2 of 10 x 10 x 10 elements of 8 bytes
    section.dims = 4;
    section.dim = {{{10, 2, 3, 3, 3, 64}, {10, 3, 4, 4, 4, 16}, {10, 5, 2, 2, 2, 8}, {8, 0, 8, 8, 8, 1}}};
    section = coalesced(section);
    ASSERT_EQ(section.dims, 3U);
    auto const rows = section.rows_at(0, section.bytes());
    EXPECT_EQ(rows.length, 16U);
    EXPECT_EQ(rows.rows, 4U);
    EXPECT_EQ(rows.position_step, 80U);
    EXPECT_EQ(section.rows_at(5, 40).length, 11U) << "a row that has begun ends first";
    EXPECT_EQ(section.rows_at(16, 40).rows, 1U) << "and one that is cut off stands alone";
}

TEST(Section, IsCutIntoPartsThatFollowEachOther) {
    std::mt19937_64 random(3);
    for (int trial = 0; trial < 300; ++trial) {
        SCOPED_TRACE(trial);
        auto section = random_section(random, {}, false);
        section.memory = 0;
        std::int64_t stride = 1;
        for (auto k = section.dims; k-- > 0;) {
            section.dim[k].memory_stride = stride;
            stride *= static_cast<std::int64_t>(section.dim[k].owned);
        }
        auto const most = 1 + random_below(random, section.bytes());
        std::vector<Byte> all;
        for (auto const& part : cut(section, most)) {
            auto const bytes = bytes_of(part);
            ASSERT_EQ(bytes.front().memory, part.memory);
            all.insert(all.end(), bytes.begin(), bytes.end());
            auto const dims = part.all().first(part.dims - 1);
            auto const cannot_be_cut =
                std::ranges::all_of(dims, [](Dim const& d) { return d.owned <= 1 || d.owned == d.block; });
            ASSERT_TRUE(part.bytes() <= most || cannot_be_cut || part.dims == 1) << part.bytes() << " of " << most;
        }
        ASSERT_EQ(all, bytes_of(section));
    }
}

}  // namespace
}  // namespace weir
