#include "comm/clock_offset.hpp"

#include <gtest/gtest.h>

#include <array>

#include "core/error.hpp"

namespace weir {
namespace {

TEST(OffsetToOther, TrustsTheQuickestAnswer) {
    // The other clock is 100 s ahead; the first answer was delayed on its way back.
    std::array<ClockReading, 2> const readings{{{10, 110.5, 15}, {20, 120.001, 20.002}}};
    EXPECT_NEAR(offset_to_other(readings), 100, 1e-9);
}

TEST(OffsetToOther, NeedsAReading) { EXPECT_THROW(offset_to_other({}), ContractError); }

TEST(OffsetToRoot, OfAProcessAloneIsNone) { EXPECT_EQ(offset_to_root(Communicator(), MonotonicClock()), 0); }

}  // namespace
}  // namespace weir
