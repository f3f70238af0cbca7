#include "core/latency.hpp"

#include <gtest/gtest.h>

#include <array>

#include "core/error.hpp"

namespace weir {
namespace {

TEST(Spread, SaysWhichIsSlowest) {
    auto const s = spread(std::array{2.0, 5.0, 2.0});
    EXPECT_DOUBLE_EQ(s.min, 2);
    EXPECT_DOUBLE_EQ(s.mean, 3);
    EXPECT_DOUBLE_EQ(s.max, 5);
    EXPECT_EQ(s.argmax, 1U);
}

TEST(Spread, NeedsAValue) { EXPECT_THROW(spread({}), ContractError); }

}  // namespace
}  // namespace weir
