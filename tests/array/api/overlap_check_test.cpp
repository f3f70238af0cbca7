#include "array/api/overlap_check.hpp"

#include <gtest/gtest.h>

#include <map>

#include "support/arrays/random_layouts.hpp"
#include "support/has.hpp"
#include "support/trials.hpp"

namespace weir::array {
namespace {

using testing::Layout;
using testing::random_below;

/// What check_cover() says of some arrays, of which all ranks give what they hold; WEIR_OK if nothing.
Failure checked(std::vector<Layout> const& layouts, std::uint64_t from = 0, std::uint64_t to = ~std::uint64_t{0}) {
    auto const ranks = layouts[0].ranks;
    std::vector<RankShare> shares;
    std::vector<Description> first;
    for (std::uint64_t rank = 0; rank < ranks; ++rank) {
        std::vector<Description> descriptions;
        for (auto const& layout : layouts) {
            descriptions.push_back(described(layout, rank));
        }
        Arrays const arrays(descriptions);
        shares.push_back({rank, arrays.share({rank, ranks}, Use::write)});
        first = rank == 0 ? descriptions : first;
    }
    Arrays const arrays(first);
    try {
        check_cover(arrays, from, std::min(to, arrays.bytes()), shares);
        return {WEIR_OK, ""};
    } catch (Failure const& failure) {
        return failure;
    }
}

/// How many ranks hold each byte of the plan's space.
std::vector<int> times_held(std::vector<Layout> const& layouts) {
    std::vector<int> times;
    for (auto const& layout : layouts) {
        auto const origin = times.size();
        times.resize(origin + layout.bytes(), 0);
        for (std::uint64_t rank = 0; rank < layout.ranks; ++rank) {
            if (layout.distribution == Distribution::replicated && rank > 0) {
                break;
            }
            for (auto const& e : held_by(layout, rank)) {
                for (std::uint64_t b = 0; b < layout.element_bytes; ++b) {
                    ++times[origin + e.number * layout.element_bytes + b];
                }
            }
        }
    }
    return times;
}

/// Leaves a box or piece out, gives one to another rank too, or leaves it as it was.
void spoil(std::mt19937_64& random, Layout& layout) {
    auto const rank = random_below(random, layout.ranks);
    auto const other = random_below(random, layout.ranks);
    auto const doubled = random_below(random, 2) == 0;
    if (!layout.starts[rank].empty()) {
        auto const i = random_below(random, layout.starts[rank].size());
        if (doubled) {
            layout.starts[other].push_back(layout.starts[rank][i]);
            layout.counts[other].push_back(layout.counts[rank][i]);
        } else {
            layout.starts[rank].erase(layout.starts[rank].begin() + static_cast<std::ptrdiff_t>(i));
            layout.counts[rank].erase(layout.counts[rank].begin() + static_cast<std::ptrdiff_t>(i));
        }
    } else if (!layout.offsets[rank].empty() && (rank != other || !doubled)) {
        if (doubled) {
            layout.offsets[other].push_back(layout.offsets[rank].back());
            layout.lengths[other].push_back(layout.lengths[rank].back());
        } else {
            layout.offsets[rank].pop_back();
            layout.lengths[rank].pop_back();
        }
    }
}

TEST(CheckCover, AgreesWithLookingAtEachByte) {
    std::map<int, int> found;
    testing::each_trial(400, 1, [&](std::mt19937_64& random) {
        std::vector<Layout> layouts;
        auto const ranks = 1 + random_below(random, 6);
        for (auto n = 1 + random_below(random, 3); n > 0; --n) {
            layouts.push_back(testing::random_layout(random, ranks));
        }
        if (random_below(random, 2) == 0) {
            spoil(random, layouts[random_below(random, layouts.size())]);
        }
        auto const times = times_held(layouts);
        auto const from = random_below(random, 2) * random_below(random, times.size());
        auto const to = from + 1 + random_below(random, times.size() - from);
        auto const begin = times.begin();
        auto const part =
            std::vector<int>(begin + static_cast<std::ptrdiff_t>(from), begin + static_cast<std::ptrdiff_t>(to));
        auto const failure = checked(layouts, from, to);
        ++found[failure.code()];
        if (failure.code() == WEIR_OVERLAP) {
            // Sections that meet may do so beside the part that is looked at.
            ASSERT_TRUE(std::ranges::any_of(times, [](int n) { return n > 1; })) << failure.what();
        } else if (failure.code() == WEIR_HOLES) {
            ASSERT_TRUE(std::ranges::any_of(part, [](int n) { return n == 0; })) << failure.what();
        } else {
            ASSERT_TRUE(std::ranges::all_of(part, [](int n) { return n == 1; }));
        }
    });
    EXPECT_GT(found[WEIR_OVERLAP], 10);
    EXPECT_GT(found[WEIR_HOLES], 8);
}

/// Two arrays: one in blocks, and a 4 x 6 of boxes on three ranks.
std::vector<Layout> with_boxes(std::vector<std::vector<Indices>> starts, std::vector<std::vector<Indices>> counts,
                               weir_order order = WEIR_C_ORDER) {
    Layout blocks;
    blocks.ranks = 3;
    blocks.shape = {7};
    blocks.element_bytes = 4;
    Layout boxes = blocks;
    boxes.distribution = Distribution::boxes;
    boxes.shape = {4, 6};
    boxes.element_bytes = 8;
    boxes.order = order;
    boxes.starts = std::move(starts);
    boxes.counts = std::move(counts);
    return {blocks, boxes};
}

TEST(CheckCover, NamesTheElementAndTheRanks) {
    for (auto const order : {WEIR_C_ORDER, WEIR_FORTRAN_ORDER}) {
        auto const twice = checked(with_boxes({{{0, 0}}, {{2, 0}}, {{1, 4}}}, {{{2, 6}}, {{2, 6}}, {{1, 1}}}, order));
        EXPECT_EQ(twice.code(), WEIR_OVERLAP);
        EXPECT_STREQ(twice.what(),
                     "element (1, 4) of array 1 would be written twice (ranks 0 and 2 both hold it). Describe each "
                     "element on one rank only; ghost elements are named by weir_array_ghosts().");
        auto const never = checked(with_boxes({{{0, 0}}, {{2, 0}}, {{2, 4}}}, {{{2, 6}}, {{2, 3}}, {{2, 2}}}, order));
        EXPECT_EQ(never.code(), WEIR_HOLES);
        EXPECT_STREQ(
            never.what(),
            "element (2, 3) of array 1 would not be written (no rank holds it). Describe every element on some "
            "rank, or the array as a part of a larger one by weir_array_within().");
    }
    auto const by_one = checked(with_boxes({{{0, 0}, {1, 5}}, {{2, 0}}, {}}, {{{2, 6}, {1, 1}}, {{2, 6}}, {}}));
    EXPECT_EQ(by_one.code(), WEIR_OVERLAP);
    EXPECT_TRUE(
        testing::has(by_one.what(), "element (1, 5) of array 1 would be written twice (rank 0 holds it twice)"));
    auto const last = checked(with_boxes({{{0, 0}}, {{2, 0}}, {{2, 3}}}, {{{2, 6}}, {{2, 3}}, {{1, 3}}}));
    EXPECT_TRUE(testing::has(last.what(), "element (3, 3)"));
}

TEST(CheckCover, LooksAtManyBoxesAndHugeBlocksAtOnce) {
    // 2^60 bytes in four quarters, and then one byte too few.
    Layout layout;
    layout.ranks = 4;
    layout.distribution = Distribution::boxes;
    auto const half = std::int64_t{1} << 28;
    layout.shape = {2 * half, 2 * half};
    layout.element_bytes = 4;
    layout.starts = {{{0, 0}}, {{0, half}}, {{half, 0}}, {{half, half}}};
    layout.counts = {{{half, half}}, {{half, half}}, {{half, half}}, {{half, half}}};
    EXPECT_EQ(checked({layout}).code(), WEIR_OK);
    layout.counts[3] = {{half, half + 0}};
    layout.starts[3] = {{half, half - 1}};
    EXPECT_EQ(checked({layout}).code(), WEIR_OVERLAP);

    // 10,000 boxes of one row each.
    layout.shape = {10000, 10};
    layout.ranks = 2;
    layout.starts.assign(2, {});
    layout.counts.assign(2, {});
    for (std::int64_t i = 0; i < 10000; ++i) {
        layout.starts[static_cast<std::size_t>(i % 2)].push_back({i, 0});
        layout.counts[static_cast<std::size_t>(i % 2)].push_back({1, 10});
    }
    EXPECT_EQ(checked({layout}).code(), WEIR_OK);
    layout.counts[1].back() = {1, 9};
    EXPECT_EQ(checked({layout}).code(), WEIR_HOLES);
}

Layout of_pieces(std::uint64_t ranks, std::int64_t elements, std::size_t element_bytes) {
    Layout layout;
    layout.ranks = ranks;
    layout.distribution = Distribution::pieces;
    layout.element_bytes = element_bytes;
    layout.shape = {elements};
    return layout;
}

TEST(CheckCover, LooksAtLongListsByTheirMarks) {
    // Each rank holds every third pair of elements of more than a window of marks.
    std::int64_t const pairs = (1 << 20) + 100;
    auto layout = of_pieces(3, 2 * pairs, 2);
    layout.offsets.resize(3);
    layout.lengths.resize(3);
    for (std::int64_t i = 0; i < pairs; ++i) {
        layout.offsets[static_cast<std::size_t>(i % 3)].push_back(2 * i);
        layout.lengths[static_cast<std::size_t>(i % 3)].push_back(2);
    }
    EXPECT_EQ(checked({layout}).code(), WEIR_OK);
    auto const last = static_cast<std::size_t>((pairs - 1) % 3);
    layout.lengths[last].back() = 1;
    auto const never = checked({layout});
    EXPECT_EQ(never.code(), WEIR_HOLES);
    EXPECT_TRUE(testing::has(never.what(), "element (2097351) of array 0"));
    layout.offsets[0].push_back(2 * pairs - 2);  // as many elements as the array has, but not all
    layout.lengths[0].push_back(1);
    EXPECT_EQ(checked({layout}).code(), WEIR_OVERLAP);
}

TEST(CheckCover, LooksAtFewPiecesOfAHugeArrayAtOnce) {
    // 2^50 elements in two pieces, and then one element twice and another not at all, near the beginning and far.
    auto const half = std::int64_t{1} << 49;
    auto layout = of_pieces(2, 2 * half, 8);
    layout.offsets = {{0}, {half}};
    layout.lengths = {{half}, {half}};
    EXPECT_EQ(checked({layout}).code(), WEIR_OK);
    layout.offsets = {{0}, {9, half + 1}};
    layout.lengths = {{half}, {1, half - 1}};
    EXPECT_EQ(checked({layout}).code(), WEIR_OVERLAP);
    layout.offsets = {{0}, {half - 1}};
    layout.lengths = {{half}, {half}};
    EXPECT_EQ(checked({layout}).code(), WEIR_OVERLAP);
}

}  // namespace
}  // namespace weir::array
