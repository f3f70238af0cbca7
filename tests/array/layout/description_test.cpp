#include "array/layout/description.hpp"

#include <gtest/gtest.h>

#include "support/arrays/random_layouts.hpp"
#include "support/failures/refusal.hpp"
#include "support/trials.hpp"

namespace weir::array {
namespace {

using testing::Byte;
using testing::Element;
using testing::Layout;
using testing::random_below;

/// What the parts of a share hold, byte by byte, in the order of the file.
std::vector<Byte> bytes_of_share(Share const& share) {
    std::vector<Byte> bytes;
    for (auto const& part : share) {
        auto const some = testing::visited(part, 0, part.bytes());
        bytes.insert(bytes.end(), some.begin(), some.end());
    }
    std::ranges::sort(bytes, {}, &Byte::position);
    return bytes;
}

std::vector<Byte> expected_bytes(Layout const& layout, std::vector<Element> const& elements, std::uint64_t origin) {
    std::vector<Byte> bytes;
    for (auto const& element : elements) {
        for (std::uint64_t i = 0; i < layout.element_bytes; ++i) {
            bytes.push_back(
                {origin + element.number * layout.element_bytes + i, static_cast<std::int64_t>(element.memory + i)});
        }
    }
    std::ranges::sort(bytes, {}, &Byte::position);
    return bytes;
}

TEST(ShareOf, AgreesWithTheElementsThatEachRankHolds) {
    testing::each_trial(300, 1, [&](std::mt19937_64& random) {
        auto const layout = testing::random_layout(random, 1 + random_below(random, 9));
        std::uint64_t held = 0;
        for (std::uint64_t rank = 0; rank < layout.ranks; ++rank) {
            auto const description = described(layout, rank);
            std::uint64_t local = 0;
            auto const elements = held_by(layout, rank, &local);
            auto const share = share_of(description, {rank, layout.ranks}, Use::read, 5, 1000);
            ASSERT_EQ(bytes_of_share(share), expected_bytes(layout, elements, 1000)) << description.summary();
            ASSERT_EQ(local_bytes(description, {rank, layout.ranks}), local);
            for (auto const& part : share) {
                ASSERT_EQ(part.array(), 5U);
            }
            held += bytes_of(share_of(description, {rank, layout.ranks}, Use::write, 0, 0));
        }
        ASSERT_EQ(held, layout.bytes()) << "in writing, somebody holds each element, and one rank alone";
    });
}

TEST(PlaceInLarger, AgreesWithTheElementsThere) {
    testing::each_trial(300, 2, [&](std::mt19937_64& random) {
        auto const layout = testing::random_layout(random, 1);
        auto const description = described(layout, 0);
        auto const place = place_in_larger(description);
        ASSERT_EQ(place.has_value(), !layout.larger_shape.empty());
        ASSERT_EQ(description.file_bytes(), layout.file_bytes());
        if (place) {
            auto const bytes = testing::visited(*place, 0, place->bytes());
            ASSERT_EQ(bytes.size(), layout.bytes());
            for (std::uint64_t i = 0; i < bytes.size(); ++i) {
                ASSERT_EQ(bytes[i].position,
                          place_in_file(layout, i / layout.element_bytes) + i % layout.element_bytes);
            }
        }
    });
}

TEST(LocalBlock, IsWhatTheRankHolds) {
    auto const d = describe_blocks(2, Indices{10, 7}.data(), nullptr, Indices{3, 2}.data(), 8, WEIR_C_ORDER);
    EXPECT_EQ(local_block(d, {0, 6}), (std::pair<Indices, Indices>{{0, 0}, {4, 4}}));
    EXPECT_EQ(local_block(d, {1, 6}), (std::pair<Indices, Indices>{{0, 4}, {4, 3}}));
    EXPECT_EQ(local_block(d, {5, 6}), (std::pair<Indices, Indices>{{7, 4}, {3, 3}}));
}

TEST(SquareGrid, HoldsAllRanksAndFavoursLongDimensions) {
    EXPECT_EQ(square_grid({512, 512, 512}, 8), (Indices{2, 2, 2}));
    EXPECT_EQ(square_grid({1000, 10}, 6), (Indices{6, 1}));
    EXPECT_EQ(square_grid({100, 100}, 6), (Indices{3, 2}));
    EXPECT_EQ(square_grid({7}, 5), (Indices{5}));
    EXPECT_EQ(square_grid({8, 8, 8}, 12, {0, 1, 0}), (Indices{3, 1, 4}));
    EXPECT_EQ(square_grid({8, 8}, 6, {2, 0}), (Indices{2, 3}));
    EXPECT_EQ(square_grid({8, 8}, 6, {4, 0}), (Indices{4, 0}));
    for (std::uint64_t ranks = 1; ranks < 200; ++ranks) {
        EXPECT_EQ(Layout::product(square_grid({64, 100, 3}, ranks)), ranks);
    }
}

TEST(GridOf, RefusesOneThatDoesNotHoldAllRanks) {
    auto const d = describe_blocks(2, Indices{10, 7}.data(), nullptr, Indices{3, 2}.data(), 8, WEIR_C_ORDER);
    EXPECT_EQ(grid_of(d, 6), (Indices{3, 2}));
    EXPECT_EQ(testing::refusal([&] { grid_of(d, 4); }),
              "the grid of 3 x 2 does not hold all ranks (it has 6 places, and the communicator has 4 ranks). "
              "Give a grid whose product is the number of ranks, or none.");
    Indices const wide{5, 3689348814741910324};  // their product is 2^64 + 4
    EXPECT_THROW(grid_of(describe_blocks(2, Indices{9, 9}.data(), nullptr, wide.data(), 8, WEIR_C_ORDER), 4), Failure);
}

TEST(Summary, SaysAllThatRanksAgreeOn) {
    auto d = describe_blocks(2, Indices{10, 7}.data(), nullptr, Indices{3, 2}.data(), 8, WEIR_FORTRAN_ORDER);
    EXPECT_EQ(d.summary(), "10 x 7 elements of 8 bytes in Fortran order, even blocks on a grid of 3 x 2");
    put_within(d, Indices{20, 7}.data(), Indices{5, 0}.data());
    EXPECT_EQ(d.summary(),
              "10 x 7 elements of 8 bytes in Fortran order, even blocks on a grid of 3 x 2, part of "
              "20 x 7 from 5, 0");
    d = describe_blocks(2, Indices{10, 7}.data(), Indices{2, 0}.data(), nullptr, 8, WEIR_C_ORDER);
    EXPECT_EQ(d.summary(), "10 x 7 elements of 8 bytes in C order, block-cyclic in blocks of 2 x 0");
    EXPECT_EQ(describe_replicated(3, 4).summary(), "3 elements of 4 bytes in C order, on every rank");
}

}  // namespace
}  // namespace weir::array
