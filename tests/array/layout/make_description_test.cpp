#include "array/layout/description.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "array/layout/io_group.hpp"
#include "support/failures/refusal.hpp"

namespace weir::array {
namespace {

constexpr auto big = std::int64_t{1} << 62;

using testing::refusal;

std::string refused_blocks(int dims, Indices const& shape, Indices const& block, Indices const& grid,
                           std::size_t element_bytes = 8) {
    return refusal([&] {
        describe_blocks(dims, shape.empty() ? nullptr : shape.data(), block.empty() ? nullptr : block.data(),
                        grid.empty() ? nullptr : grid.data(), element_bytes, WEIR_C_ORDER);
    });
}

TEST(Describe, TakesWhatMeansSomething) {
    EXPECT_EQ(refused_blocks(7, {1, 2, 3, 4, 5, 6, 7}, {}, {}), "");
    EXPECT_EQ(refused_blocks(2, {5, 5}, {0, 9}, {1, 4}), "") << "blocks may be longer than the array";
    EXPECT_EQ(refused_blocks(1, {big}, {}, {}, 1), "");
    EXPECT_EQ(refused_blocks(2, {4, 0}, {3, 3}, {2, 2}), "") << "there may be no elements";
}

TEST(Describe, RefusesShapesThatMeanNothing) {
    EXPECT_EQ(
        refused_blocks(0, {1}, {}, {}),
        "an array of 0 dimensions cannot be described (it has 1 to 7). Join dimensions that are never distributed.");
    EXPECT_EQ(
        refused_blocks(8, {1, 1, 1, 1, 1, 1, 1, 1}, {}, {}),
        "an array of 8 dimensions cannot be described (it has 1 to 7). Join dimensions that are never distributed.");
    EXPECT_EQ(refused_blocks(2, {}, {}, {}), "no shape is given (the pointer is null). Pass one value a dimension.");
    EXPECT_EQ(refused_blocks(2, {-4, 4}, {}, {}),
              "the array has -4 elements along dimension 1 (the number is negative). Pass the global shape.");
}

TEST(Describe, RefusesElementsThatAreNone) {
    EXPECT_EQ(refused_blocks(1, {4}, {}, {}, 0),
              "elements of 0 bytes cannot be written (element_bytes is 0). Pass the size of the type, such as "
              "sizeof(double).");
}

TEST(Describe, RefusesArraysOfMoreThan63Bits) {
    auto const* const too_large = "the array is too large (it has 2^63 bytes or more). Files cannot hold it.";
    EXPECT_EQ(refused_blocks(1, {big}, {}, {}, 2), too_large);
    EXPECT_EQ(refused_blocks(3, {1 << 21, 1 << 21, 1 << 21}, {}, {}, 1), too_large);
    EXPECT_EQ(refused_blocks(3, {1 << 21, 1 << 21, 1 << 20}, {}, {}, 1), "");
    EXPECT_EQ(refused_blocks(1, {1}, {}, {}, std::size_t{1} << 63U), too_large);
    EXPECT_EQ(refused_blocks(3, {0, big, big}, {}, {}, 1), too_large) << "as one element in it would be";
    EXPECT_EQ(refusal([] { describe_replicated(big, 8); }), too_large);
    auto d = describe_blocks(1, Indices{4}.data(), nullptr, nullptr, 8, WEIR_C_ORDER);
    EXPECT_EQ(refusal([&] { put_within(d, Indices{big}.data(), Indices{0}.data()); }), too_large);
}

TEST(Describe, RefusesArraysThatTogetherHaveMoreThan63Bits) {
    auto const half = describe_replicated(big, 1);
    EXPECT_NO_THROW(Arrays({half}));
    EXPECT_EQ(refusal([&] {
                  Arrays({half, half});
              }),
              "the arrays are too large (together they have 2^63 bytes or more). Files cannot hold them.");
    // A small part each of two large arrays.
    auto part = describe_blocks(1, Indices{4}.data(), nullptr, nullptr, 1, WEIR_C_ORDER);
    put_within(part, Indices{big}.data(), Indices{0}.data());
    EXPECT_NE(refusal([&] { Arrays({part, part}); }), "");
}

TEST(Describe, RefusesBlocksAndGridsThatMeanNothing) {
    EXPECT_EQ(refused_blocks(2, {4, 4}, {1, -1}, {}),
              "a block of -1 elements (it is negative). Pass 0 for an even block.");
    EXPECT_EQ(refused_blocks(2, {4, 4}, {}, {1, 0}),
              "a grid of 0 ranks along dimension 2 (there is at least one). Pass 1 along dimensions that are not "
              "distributed.");
}

TEST(Describe, RefusesBoxesOutsideTheArray) {
    Indices const shape{4, 6};
    auto const box = [&](Indices const& start, Indices const& count) {
        return refusal([&] { describe_boxes(2, shape.data(), 1, start.data(), count.data(), 8, WEIR_C_ORDER); });
    };
    EXPECT_EQ(box({4, 6}, {0, 0}), "") << "an empty one at the end";
    EXPECT_EQ(
        box({0, 3}, {4, 4}),
        "box 0 does not lie in the array (along dimension 2 it takes 4 elements from 3 on, and there are 6). Starts "
        "count from 0, in elements of the whole array.");
    EXPECT_NE(box({-1, 0}, {1, 1}), "");
    EXPECT_NE(box({0, 0}, {-1, 1}), "");
    EXPECT_NE(box({1, 1}, {1, std::numeric_limits<std::int64_t>::max()}), "") << "no overflow";
    EXPECT_EQ(refusal([&] { describe_boxes(2, shape.data(), -1, nullptr, nullptr, 8, WEIR_C_ORDER); }),
              "-1 boxes (the number is negative). A rank without any passes 0.");
    EXPECT_EQ(refusal([&] { describe_boxes(2, shape.data(), 1, nullptr, nullptr, 8, WEIR_C_ORDER); }),
              "no start of the boxes is given (the pointer is null). Pass one value a dimension.");
    EXPECT_EQ(refusal([&] { describe_boxes(2, shape.data(), 0, nullptr, nullptr, 8, WEIR_C_ORDER); }), "");
}

TEST(Describe, RefusesPiecesOutsideTheArrayAndOnesThatOverlap) {
    auto const pieces = [](Indices const& offsets, Indices const& lengths) {
        return refusal([&] {
            describe_pieces(10, static_cast<std::int64_t>(offsets.size()), offsets.data(),
                            lengths.empty() ? nullptr : lengths.data(), 4);
        });
    };
    EXPECT_EQ(pieces({7, 2, 0}, {3, 5, 2}), "");
    EXPECT_EQ(pieces({3, 9, 0}, {}), "");
    EXPECT_EQ(pieces({0, 8}, {1, 3}),
              "piece 1 does not lie in the array (along dimension 1 it takes 3 elements from 8 on, and there are 10). "
              "Starts count from 0, in elements of the whole array.");
    EXPECT_NE(pieces({10}, {}), "") << "one element behind the end";
    EXPECT_NE(pieces({-1}, {1}), "");
    EXPECT_NE(pieces({1}, {-1}), "");
    EXPECT_NE(pieces({1}, {std::numeric_limits<std::int64_t>::max()}), "") << "no overflow";
    EXPECT_EQ(pieces({5, 2}, {2, 4}),
              "two pieces of this rank overlap (both hold element 5). List each element once on a rank.");
    EXPECT_NE(pieces({3, 3}, {}), "");
    EXPECT_EQ(refusal([] { describe_pieces(10, -1, nullptr, nullptr, 4); }),
              "-1 pieces (the number is negative). A rank without any passes 0.");
    EXPECT_EQ(refusal([] { describe_pieces(10, 1, nullptr, nullptr, 4); }),
              "no offsets are given (the pointer is null). Pass the first element of each piece.");
}

TEST(Describe, RefusesGhostsWhereThereAreNone) {
    Indices const shape{4, 6};
    auto const ghosts = [&](Description d, Indices const& before, Indices const& after) {
        return refusal([&] { add_ghosts(d, before.data(), after.data()); });
    };
    auto const blocks = describe_blocks(2, shape.data(), nullptr, nullptr, 8, WEIR_C_ORDER);
    auto const cyclic = describe_blocks(2, shape.data(), Indices{0, 2}.data(), nullptr, 8, WEIR_C_ORDER);
    auto const* const only =
        "this array has no ghost elements (only blocks and boxes can have them). Leave weir_array_ghosts() out.";
    EXPECT_EQ(ghosts(blocks, {1, 2}, {0, 1}), "");
    EXPECT_EQ(ghosts(cyclic, {1, 1}, {1, 1}), only);
    EXPECT_EQ(ghosts(describe_replicated(4, 8), {1}, {1}), only);
    EXPECT_EQ(ghosts(describe_pieces(4, 0, nullptr, nullptr, 8), {1}, {1}), only);
    EXPECT_EQ(ghosts(blocks, {1, -1}, {1, 1}),
              "a negative number of ghost elements (they are counted from 0). Pass 0 where there are none.");
    auto d = blocks;
    EXPECT_EQ(refusal([&] { add_ghosts(d, nullptr, shape.data()); }),
              "no number of ghost elements before is given (the pointer is null). Pass one value a dimension.");
    auto const* const too_many =
        "there are too many ghost elements (with them, the array has 2^63 bytes or more). They are counted in "
        "elements, "
        "on each side of a block.";
    EXPECT_EQ(ghosts(blocks, {big, 0}, {big, 0}), too_many);
    EXPECT_EQ(ghosts(blocks, {big, 0}, {0, 0}), too_many);
}

TEST(Describe, RefusesALargerArrayThatDoesNotHoldIt) {
    auto const within = [](Indices const& larger, Indices const& start) {
        auto d = describe_blocks(2, Indices{4, 6}.data(), nullptr, nullptr, 8, WEIR_C_ORDER);
        return refusal([&] { put_within(d, larger.data(), start.data()); });
    };
    EXPECT_EQ(within({4, 6}, {0, 0}), "");
    EXPECT_EQ(
        within({4, 8}, {0, 3}),
        "the array does not lie in the larger array (along dimension 2 it takes 6 elements from 3 on, and there are "
        "8). Starts count from 0, in elements of the whole array.");
    EXPECT_NE(within({4, 8}, {0, -1}), "");
    EXPECT_NE(within({-4, 8}, {0, 0}), "");
}

}  // namespace
}  // namespace weir::array
