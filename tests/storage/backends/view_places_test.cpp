#include "storage/backends/mpiio/view_places.hpp"

#include <gtest/gtest.h>

#include <random>

#include "pattern/operations.hpp"
#include "support/patterns/phases.hpp"
#include "support/trials.hpp"

namespace weir {
namespace {

TEST(ViewPlaces, CountBytesOfTheViewThatAreBefore) {
    ViewPlaces const nest(Extent{100, {{4, 200}}, 100});
    EXPECT_EQ(nest.of(100), 0U);
    EXPECT_EQ(nest.of(199), 99U);
    EXPECT_EQ(nest.of(300), 100U);
    EXPECT_EQ(nest.of(705), 305U);
    std::vector<Piece> const pieces{{10, 5}, {40, 100}, {200, 1}};
    ViewPlaces const list(pieces);
    EXPECT_EQ(list.of(10), 0U);
    EXPECT_EQ(list.of(42), 7U);
    EXPECT_EQ(list.of(200), 105U);
}

TEST(ViewPlaces, OfNestedStridesAreInTheOrderOfRequests) {
    testing::each_trial<std::mt19937>(100, 3, [](std::mt19937& random) {
        Extent extent{random() % 50, {}, 1 + random() % 20};
        auto span = static_cast<std::int64_t>(extent.length);
        for (auto levels = random() % 4; levels > 0; --levels) {
            Level const level{1 + random() % 4, span + static_cast<std::int64_t>(random() % 10)};
            extent.levels.insert(extent.levels.begin(), level);
            span += static_cast<std::int64_t>(level.count - 1) * level.stride;
        }
        ASSERT_TRUE(goes_forward_once(extent));
        ViewPlaces const places(extent);
        auto const access = testing::access_of({0, 1, 1}, {}, extent);
        Operations operations(access, Rank{0});
        std::uint64_t before = 0;
        for (Operation one; operations.next(one); before += one.length) {
            ASSERT_EQ(places.of(one.offset), before);
            ASSERT_EQ(places.of(one.offset + one.length - 1), before + one.length - 1);
        }
    });
}

TEST(ViewPlaces, AreNotOfWhatGoesBackOrHasBytesTwice) {
    EXPECT_TRUE(goes_forward_once({0, {{2, 20}, {2, 10}}, 10}));
    EXPECT_TRUE(goes_forward_once({0, {{1, -5}}, 10}));
    for (auto const& extent : {Extent{50, {{2, -20}}, 10}, Extent{0, {{2, 0}}, 10}, Extent{0, {{2, 9}}, 10},
                               Extent{0, {{2, 10}, {2, 20}}, 10}, Extent{0, {{2, 19}, {2, 10}}, 10}}) {
        EXPECT_FALSE(goes_forward_once(extent));
    }
}

}  // namespace
}  // namespace weir
