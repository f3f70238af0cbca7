#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

#include "bench/compute/hpcc/hpcc_tests.hpp"
#include "bench/compute/hpl/hpl_memory.hpp"
#include "bench/compute/linear/numbers.hpp"
#include "core/error.hpp"

namespace weir {
namespace {

TEST(HplMemory, TellsTheGreatestOrderThatFits) {
    for (auto const ranks : {1U, 2U, 6U, 64U}) {
        for (auto const look_ahead : {0U, 1U, 4096U}) {
            GridOptions const grid{192};
            HplMemory const memory(grid, ranks, look_ahead);
            for (std::uint64_t bytes = 64; bytes < std::uint64_t{1} << 34U; bytes = bytes * 5 / 3) {
                auto const order = memory.order_within(bytes);
                auto const next = order < grid.block ? order + 1 : order + grid.block;
                EXPECT_TRUE(memory.bytes(order) <= bytes || order == 1) << bytes;
                EXPECT_GT(memory.bytes(next), bytes) << ranks << " ranks, order " << order;
            }
        }
    }
}

TEST(HplMemory, HasNoMorePanelsThanTheMatrix) {
    HplMemory const one_panel(GridOptions{256}, 1, 0);
    HplMemory const many(GridOptions{256}, 1, 4096);
    EXPECT_EQ(one_panel.bytes(256), many.bytes(256));
    EXPECT_EQ(one_panel.bytes(1), many.bytes(1));
    EXPECT_LT(one_panel.bytes(2560), many.bytes(2560));
}

TEST(HplMemory, OfAllTestsLeavesRoomForThePanels) {
    constexpr std::uint64_t mebi = 1U << 20U;
    HpccSetting setting;
    setting.ranks = 2;
    setting.bytes_of_rank = 113 * mebi;
    auto const alone = hpl_order(setting, setting.bytes_of_rank);
    setting.free_bytes = 130 * mebi;
    auto const fitted = hpl_order(setting, setting.bytes_of_rank);
    HplMemory const memory(setting.grid(), setting.ranks, 1);
    EXPECT_GT(memory.bytes(alone), setting.free_bytes);
    EXPECT_LE(memory.bytes(fitted), setting.free_bytes);
    EXPECT_GT(fitted, alone * 3 / 4);
}

TEST(HplMemory, TakesNoMoreThanAskedForByTheUsualBlock) {
    HpccSetting setting;
    constexpr std::uint64_t of_order_100 = 8 * 100 * 100;
    EXPECT_EQ(hpl_order(setting, of_order_100), 100U);
    setting.block = 192;
    EXPECT_EQ(hpl_order(setting, of_order_100), 192U) << "one that is asked for is filled";
}

TEST(GridOptions, RefuseRowsThatDoNotDivideTheRanks) {
    GridOptions grid{8};
    grid.asked_rows = 2;
    EXPECT_EQ(grid.rows(4), 2U);
    EXPECT_THROW(static_cast<void>(grid.rows(3)), Error);
    EXPECT_THROW(static_cast<void>(grid.rows(1)), Error);
}

TEST(GreatestMagnitudes, KeepWhatIsNoNumberWhereverItIs) {
    constexpr auto none = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(greatest_magnitude(std::array{1.0, -3.0, 2.0}), 3);
    for (auto const& numbers : {std::array{none, 1.0, 2.0}, {1.0, none, 2.0}, {1.0, 2.0, none}}) {
        EXPECT_TRUE(std::isnan(greatest_magnitude(numbers)));
    }
}

}  // namespace
}  // namespace weir
