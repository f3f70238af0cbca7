#include "bench/network/call_loop.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "core/enum_names.hpp"

namespace weir {
namespace {

/// Stands still but for calls.
class CallClock final : public Clock {
  public:
    [[nodiscard]] double now_s() const override { return s; }
    void sleep(Seconds) override {}
    double s = 0;
};

/// The n-th call takes n seconds.
class LongerCall final : public NetworkCall {
  public:
    LongerCall(CallSetting const& setting, CallClock& clock) : NetworkCall(setting), clock_(clock) {}
    [[nodiscard]] BufferSizes sizes() const override { return {}; }
    void call(CallPlace const& /*at*/) override { clock_.s += ++calls_; }
    void expect(int /*root*/, ExpectedData& /*expected*/) const override {}

  private:
    CallClock& clock_;
    int calls_ = 0;
};

struct CallLoops : ::testing::TestWithParam<Start> {
    CallLoop::Total run(std::uint64_t timed_every) {
        Communicator const alone;
        CallChoices const choices;
        CallClock clock;
        LongerCall call({alone, 0, choices}, clock);
        CallBuffers buffers({}, 0, BufferMemory::pages);
        CallLoop::Timing timing;
        timing.start = GetParam();
        timing.clock = &clock;
        timing.common_clock = &clock;
        CallLoop loop(call, buffers, alone, timing);
        loop.time_every(timed_every);
        return loop.run(durations_s);
    }
    std::vector<double> durations_s = std::vector<double>(7);
};

TEST_P(CallLoops, TimeEachCallAndAllTogether) {
    auto const total = run(1);
    EXPECT_EQ(durations_s, (std::vector<double>{1, 2, 3, 4, 5, 6, 7}));
    EXPECT_EQ(total.calls, 7U);
    EXPECT_DOUBLE_EQ(total.sum_s, 28);
    EXPECT_DOUBLE_EQ(total.mean_s(), 4);
}

TEST_P(CallLoops, TimeSomeCallsByThemselvesAndStillAllTogether) {
    auto const total = run(3);
    EXPECT_EQ(durations_s, (std::vector<double>{1, -1, -1, 4, -1, -1, 7}));
    EXPECT_EQ(total.calls, 7U);
    EXPECT_DOUBLE_EQ(total.sum_s, 28);
}

/// A window without a length is none.
/// Calls of one loop after the other use one buffer after the other, of all that no cache holds.
TEST(CallLoop, GoesOnWithOtherBuffersWhereNoCacheIsToHoldThem) {
    Communicator const alone;
    ManualClock clock;
    class Places final : public NetworkCall {
      public:
        using NetworkCall::NetworkCall;
        [[nodiscard]] BufferSizes sizes() const override { return {64, 64}; }
        void call(CallPlace const& at) override { used.push_back(at.send); }
        void expect(int, ExpectedData&) const override {}
        std::vector<std::byte*> used;
    };
    Places places({alone, 64, {}});
    constexpr std::uint64_t cache = 64 * 1024;
    CallBuffers buffers(places.sizes(), cache, BufferMemory::pages);
    CallLoop::Timing timing;
    timing.clock = &clock;
    CallLoop loop(places, buffers, alone, timing);
    std::vector<double> durations_s(10);
    for (int batch = 0; batch < 5; ++batch) {
        loop.run(durations_s);
    }
    std::ranges::sort(places.used);
    EXPECT_EQ(std::ranges::unique(places.used).begin() - places.used.begin(), 50);
}

INSTANTIATE_TEST_SUITE_P(Starts, CallLoops, ::testing::Values(Start::free, Start::window),
                         [](auto const& start) { return std::string(to_text(start.param)); });

}  // namespace
}  // namespace weir
