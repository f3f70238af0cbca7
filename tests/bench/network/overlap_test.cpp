#include "bench/network/overlap.hpp"

#include <gtest/gtest.h>

#include "bench/network/call_loop.hpp"

namespace weir {
namespace {

/// IMB-NBC 2021.11: max(0, min(1, (pure + cpu - overlapped) / max(pure, cpu))).
TEST(Overlap, IsTheHiddenPart) {
    EXPECT_DOUBLE_EQ((OverlapTimes{10, 10, 10}).share().value(), 1);  // nothing but the computing was seen
    EXPECT_DOUBLE_EQ((OverlapTimes{10, 10, 20}).share().value(), 0);  // one after the other
    EXPECT_DOUBLE_EQ((OverlapTimes{10, 10, 16}).share().value(), 0.4);
    EXPECT_DOUBLE_EQ((OverlapTimes{10, 20, 20}).share().value(), 0.5);  // of the longer one
    EXPECT_DOUBLE_EQ((OverlapTimes{10, 10, 30}).share().value(), 0);    // slower together
    EXPECT_DOUBLE_EQ((OverlapTimes{10, 10, 5}).share().value(), 1);
    EXPECT_FALSE((OverlapTimes{0, 0, 0}).share());
}

TEST(Overlap, IsOfTheRankThatTookLongest) {
    std::vector<OverlapTimes> const ranks{{1, 2, 3}, {4, 5, 9}, {7, 7, 8}};
    EXPECT_EQ(slowest_of(ranks).pure_s, 4);
}

/// A call that needs 8 s of the network and goes on while the processor computes; starting and waiting take 1 s each.
class InTwoParts final : public NetworkCall, public NonblockingCall {
  public:
    InTwoParts(CallSetting const& setting, ManualClock& clock) : NetworkCall(setting), clock_(clock) {}
    [[nodiscard]] BufferSizes sizes() const override { return {}; }
    void call(CallPlace const& at) override {
        start(at);
        wait();
    }
    void start(CallPlace const& /*at*/) override {
        clock_.advance(Seconds(1));
        ends_s_ = clock_.now_s() + 8;
    }
    void wait() override { clock_.advance(Seconds(std::max(0.0, ends_s_ - clock_.now_s()) + 1)); }
    void expect(int /*root*/, ExpectedData& /*expected*/) const override {}

  private:
    ManualClock& clock_;
    double ends_s_ = 0;
};

TEST(OverlappedCall, TakesTheTimesOfItsParts) {
    ManualClock clock;
    Communicator const alone;
    CallChoices const choices;
    CallSetting const setting{alone, 0, choices};
    InTwoParts call(setting, clock);
    OverlappedCall overlapped(setting, call, call, clock, [&](double time_s) { clock.advance(Seconds(time_s)); });
    CallBuffers buffers({}, 0, BufferMemory::pages);
    auto const mean_of = [&](NetworkCall& timed) {
        CallLoop::Timing timing;
        timing.clock = &clock;
        std::vector<double> durations_s(4);
        CallLoop(timed, buffers, alone, timing).run(durations_s);
        return std::accumulate(durations_s.begin(), durations_s.end(), 0.0) / 4;
    };
    OverlapTimes times;
    times.pure_s = mean_of(call);
    overlapped.begin(times.pure_s);
    times.overlapped_s = mean_of(overlapped);
    times.cpu_s = overlapped.cpu_s();
    EXPECT_DOUBLE_EQ(times.pure_s, 10);
    EXPECT_DOUBLE_EQ(times.cpu_s, 10);
    EXPECT_DOUBLE_EQ(times.overlapped_s, 12);  // 1 + 10 + 1
    EXPECT_DOUBLE_EQ(times.share().value(), 0.8);
    overlapped.begin(3);
    EXPECT_EQ(overlapped.cpu_s(), 0);
    EXPECT_DOUBLE_EQ(mean_of(overlapped), 10);  // 1 + 3 + 5 until the network is done + 1
    EXPECT_DOUBLE_EQ(overlapped.cpu_s(), 3);
}

}  // namespace
}  // namespace weir
