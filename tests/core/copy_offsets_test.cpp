#include "core/copy_offsets.hpp"

#include <gtest/gtest.h>

namespace weir {
namespace {

/// A second passes between any two readings.
class CountingClock final : public Clock {
  public:
    [[nodiscard]] double now_s() const override { return readings++; }
    void sleep(Seconds) override {}
    mutable int readings = 0;
};

TEST(CopyOffsets, AreTimedInBatchesOfBothKinds) {
    CountingClock const clock;
    auto const found = measure_copy_offsets(clock);
    EXPECT_EQ(clock.readings, 2 * 2 * static_cast<int>(found.batches));
    EXPECT_DOUBLE_EQ(found.same_s, found.behind_s);
    EXPECT_DOUBLE_EQ(found.same_s, 1.0 / 5);
    EXPECT_GT(found.batches, 5U);
}

}  // namespace
}  // namespace weir
