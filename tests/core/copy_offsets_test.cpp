#include "core/copy_offsets.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace weir {
namespace {

/// A second passes between any two readings.
class CountingClock final : public Clock {
  public:
    [[nodiscard]] double now_s() const override { return readings++; }
    void sleep(Seconds) override {}
    mutable int readings = 0;
};

std::vector<std::uintptr_t> apart;

void* note_places(void* to, void const* from, std::size_t /*bytes*/) {
    apart.push_back((reinterpret_cast<std::uintptr_t>(to) - reinterpret_cast<std::uintptr_t>(from)) % 4096);
    return to;
}

TEST(CopyOffsets, AreTimedInTurnsAtBothPlaces) {
    CountingClock const clock;
    apart.clear();
    auto const found = measure_copy_offsets(clock, note_places);
    EXPECT_EQ(clock.readings, 2 * 2 * static_cast<int>(found.batches));
    EXPECT_DOUBLE_EQ(found.same_s, 1.0 / 5);
    EXPECT_DOUBLE_EQ(found.behind_s, 1.0 / 5);
    ASSERT_EQ(apart.size(), 2 * 5 * found.batches);
    for (std::size_t i = 0; i < apart.size(); ++i) {
        EXPECT_EQ(apart[i], i / 5 % 2 == 0 ? 0 : found.offset) << i;
    }
}

}  // namespace
}  // namespace weir
