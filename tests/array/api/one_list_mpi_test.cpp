// Many variables of one mesh: arrays of irregular pieces with one list.

#include <gtest/gtest.h>

#include <numeric>

#include "support/arrays/array_fixture.hpp"

namespace weir::testing {
namespace {

class OneList : public ArrayFixture {
  protected:
    /// Pairs of elements dealt out at random, in random order in memory if asked.
    [[nodiscard]] Layout mesh(std::int64_t pairs, std::uint64_t element_bytes, bool ascending = true) const {
        Layout layout;
        layout.ranks = comm.size();
        layout.distribution = Distribution::pieces;
        layout.element_bytes = element_bytes;
        layout.shape = {2 * pairs};
        layout.offsets.resize(comm.size());
        layout.lengths.resize(comm.size());
        std::vector<std::int64_t> order(static_cast<std::size_t>(pairs));
        std::iota(order.begin(), order.end(), 0);
        std::mt19937_64 random(7);
        if (!ascending) {
            std::ranges::shuffle(order, random);
        }
        for (auto const pair : order) {
            // Of a rank's pairs, every fourth touches another one.
            auto const rank = random_below(random, 4) == 0 ? 0 : static_cast<std::uint64_t>(pair) % comm.size();
            layout.offsets[rank].push_back(2 * pair);
            layout.lengths[rank].push_back(2);
        }
        return layout;
    }

    /// Bytes that a plan of so many arrays holds for their lists a piece, over all ranks: more than one of blocks does.
    [[nodiscard]] double list_bytes(Layout const& layout, std::size_t arrays) {
        auto const bytes_of = [&](Layout const& of) {
            Arrays const all(std::vector<Layout>(arrays, of), comm.rank());
            return comm.sum(static_cast<std::uint64_t>(weir_plan_memory(planned(all, way).get())));
        };
        auto const more = static_cast<double>(bytes_of(layout)) -
                          static_cast<double>(bytes_of(blocks(layout.shape, {}, layout.element_bytes)));
        return more / static_cast<double>(comm.sum(layout.offsets[comm.rank()].size()));
    }

    static constexpr auto* way = "method=two_phase window=4KiB sync=no";
};

TEST_F(OneList, OfArraysOfTwoTypesGoesThereAndBack) {
    for (bool const ascending : {true, false}) {
        for (auto const* options : {way, "method=independent", "method=gather align=1B window=777B",
                                    "method=two_phase exchange=messages writers=2 align=1B window=1001B",
                                    "method=grouped group=2", "thread=yes readers=1"}) {
            SCOPED_TRACE(options);
            std::vector<Layout> layouts;
            for (std::uint64_t i = 0; i < 6; ++i) {
                layouts.push_back(mesh(300, i % 2 == 0 ? 8 : 4, ascending));
            }
            layouts.push_back(mesh(301, 8, ascending));  // and another one
            Arrays arrays(layouts, comm.rank());
            there_and_back(planned(arrays, options), arrays, 1);
        }
    }
}

TEST_F(OneList, MayBeDescribedOnce) {
    auto const layout = mesh(300, 8);
    auto const doubles = made(layout, comm.rank());
    auto const floats = array_by(weir_array_alike, doubles.get(), std::size_t{4});
    auto const plan = plan_for({doubles.get(), doubles.get(), floats.get()}, way);
    auto narrow = layout;
    narrow.element_bytes = 4;
    Arrays arrays({layout, layout, narrow}, comm.rank());
    there_and_back(plan, arrays, 1);
    there_and_back(planned(arrays, way), arrays, 2);
}

TEST_F(OneList, TakesTheMemoryThatIsDocumented) {
    for (bool const ascending : {true, false}) {
        auto const layout = mesh(20'000, 8, ascending);
        auto const of_one = list_bytes(layout, 1);
        EXPECT_LE(of_one, ascending ? 16.1 : 20.1) << "and a hundred bytes a list";
        EXPECT_GT(of_one, alone && ascending ? -1 : 8) << "it is counted; and one rank's pieces in order are one piece";
        // An aggregator of some of the arrays needs the list of all ranks once; a part of each array takes 500 bytes.
        EXPECT_LE(list_bytes(layout, 50), 12 + 8.0 * static_cast<double>(comm.size()) + 4);
    }
}

TEST_F(OneList, IsCheckedForEachArrayThatHasAnother) {
    auto const good = mesh(300, 8);
    auto holed = good;
    holed.lengths.back().back() = 1;
    Arrays arrays({good, good, holed, good}, comm.rank());
    auto const plan = planned(arrays, way);
    EXPECT_EQ(write(plan, arrays), WEIR_HOLES);
    EXPECT_TRUE(says("of array 2 would not be written"));
    auto doubled = good;
    doubled.offsets[0].push_back(good.offsets.back().back());
    doubled.lengths[0].push_back(1);
    if (!alone) {
        Arrays others({good, doubled, good}, comm.rank());
        EXPECT_EQ(write(planned(others, way), others), WEIR_OVERLAP);
        EXPECT_TRUE(says("of array 1 would be written twice"));
    }
}

TEST_F(OneList, IsCheckedForEachShapeOfItsArrays) {
    auto const good = mesh(300, 8);
    auto longer = good;
    longer.shape = {601};
    Arrays arrays({good, longer, good}, comm.rank());
    EXPECT_EQ(write(planned(arrays, way), arrays), WEIR_HOLES);
    EXPECT_TRUE(says("element (600) of array 1 would not be written"));
}

TEST_F(OneList, OfAnotherSizeIsRefusedWhereItsElementsHaveNone) {
    auto const array = made(mesh(3, 8), comm.rank());
    weir_array* other = nullptr;
    EXPECT_EQ(weir_array_alike(array.get(), 0, &other, &error), WEIR_BAD_ARGUMENT);
    ArrayHandle const zero(other);
    EXPECT_EQ(weir_array_alike(array.get(), std::size_t{1} << 62U, &other, &error), WEIR_BAD_ARGUMENT);
    EXPECT_TRUE(says("too large"));
    ArrayHandle const huge(other);
    EXPECT_EQ(weir_array_alike(nullptr, 8, &other, &error), WEIR_BAD_ARGUMENT);
    ArrayHandle const none(other);
    weir_plan* plan = nullptr;
    weir_array* const bad[] = {huge.get()};
    EXPECT_EQ(weir_plan_make(comm.handle(), 1, bad, nullptr, &plan, &error), WEIR_BAD_ARGUMENT);
}

}  // namespace
}  // namespace weir::testing
