#include "bench/network/rings_order.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

namespace weir {
namespace {

TEST(RingOrder, IsNaturalFirstAndThenAPermutation) {
    EXPECT_EQ(ring_order(4, 0, 9), (std::vector<std::uint64_t>{0, 1, 2, 3}));
    auto order = ring_order(100, 1, 9);
    EXPECT_EQ(order, ring_order(100, 1, 9));
    EXPECT_NE(order, ring_order(100, 2, 9));
    EXPECT_NE(order, ring_order(100, 1, 10));
    std::ranges::sort(order);
    EXPECT_EQ(order, ring_order(100, 0, 9));
}

/// Of three ranks there are six orders; each comes up about equally often: 1000 +- 5 standard deviations.
TEST(RingOrder, HasNoFavourites) {
    std::map<std::vector<std::uint64_t>, int> found;
    for (std::uint64_t ring = 1; ring <= 6000; ++ring) {
        ++found[ring_order(3, ring, 1)];
    }
    EXPECT_EQ(found.size(), 6U);
    for (auto const& [order, times] : found) {
        EXPECT_NEAR(times, 1000, 150);
    }
}

TEST(RingOrder, GivesTheNeighboursOnBothSides) {
    std::vector<std::uint64_t> const order{2, 0, 3, 1};
    EXPECT_EQ(ring_neighbours(0, order), (RingNeighbours{2, 3}));
    EXPECT_EQ(ring_neighbours(2, order), (RingNeighbours{1, 0}));
    EXPECT_EQ(ring_neighbours(1, {0, 1}), (RingNeighbours{0, 0}));
}

TEST(RingOrder, GeometricMeansAreOfProducts) {
    EXPECT_NEAR(geometric_mean({1, 10, 100}), 10, 1e-9);
    EXPECT_NEAR(geometric_mean({3e-7}), 3e-7, 1e-15);
}

}  // namespace
}  // namespace weir
