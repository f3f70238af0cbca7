#include <gtest/gtest.h>

#include <vector>

#include "bench/network/call_loop.hpp"

namespace weir {
namespace {

/// Stands still but for what a test says.
class StandingClock final : public Clock {
  public:
    [[nodiscard]] double now_s() const override { return s; }
    void sleep(Seconds) override {}
    double s = 0;
};

class CallOfTwoSeconds final : public NetworkCall {
  public:
    CallOfTwoSeconds(CallSetting const& setting, StandingClock& clock) : NetworkCall(setting), clock_(clock) {}
    [[nodiscard]] BufferSizes sizes() const override { return {}; }
    void call(CallPlace const& /*at*/) override { clock_.s += 2; }
    void expect(int /*root*/, ExpectedData& /*expected*/) const override {}

  private:
    StandingClock& clock_;
};

/// What comes before a call is not in its time. In windows all calls are late here, since it takes longer than these.
TEST(CallLoop, PreparesEachCallThatIsNotFree) {
    Communicator const all = Communicator::world();
    CallChoices const choices;
    for (auto const start : {Start::barrier, Start::window}) {
        StandingClock clock;
        CallOfTwoSeconds call({all, 0, choices}, clock);
        CallBuffers buffers({}, 0, BufferMemory::pages);
        CallLoop::Timing timing;
        timing.start = start;
        timing.clock = timing.common_clock = &clock;
        std::vector<std::uint64_t> prepared;
        timing.before = [&](std::uint64_t number) {
            prepared.push_back(number);
            clock.s += 100;
        };
        std::vector<double> durations_s(3);
        auto const total = CallLoop(call, buffers, all, timing).run(durations_s, 1);
        EXPECT_EQ(prepared, (std::vector<std::uint64_t>{0, 1, 2}));
        EXPECT_DOUBLE_EQ(total.sum_s, start == Start::barrier ? 6 : 0);
    }
}

}  // namespace
}  // namespace weir
