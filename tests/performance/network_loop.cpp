// What timing adds to a call of MPI: the loop with a call that does nothing, for short calls, which are timed by
// themselves once in 16, and for longer ones, each of which is.

#include "bench/network/call_loop.hpp"
#include "core/fast_clock.hpp"
#include "performance/measure.hpp"

using namespace weir;

namespace {

constexpr double goal_ns = 20;

class NoCall final : public NetworkCall {
  public:
    using NetworkCall::NetworkCall;
    [[nodiscard]] BufferSizes sizes() const override { return {}; }
    void call(CallPlace const& place) override { last_ = place.send; }
    void expect(int /*root*/, ExpectedData& /*expected*/) const override {}

  private:
    std::byte* volatile last_ = nullptr;
};

bool measure(std::string const& what, std::uint64_t timed_every) {
    Communicator const alone;
    CallChoices const choices;
    NoCall call({alone, 0, choices});
    CallBuffers buffers({}, 0, BufferMemory::pages);
    CallLoop::Timing timing;
    timing.clock = &FastClock::shared();
    CallLoop loop(call, buffers, alone, timing);
    loop.time_every(timed_every);
    std::vector<double> durations_s(100'000);
    auto const cost = performance::median_of(21, [&] { return 1e9 * loop.run(durations_s).mean_s(); });
    return performance::report("timing a call of 0 B, " + what, cost, "ns/call", goal_ns, performance::Better::lower);
}

}  // namespace

int main() {
    auto const seldom = measure("one call in 16 timed by itself", 16);
    return measure("each call timed by itself", 1) && seldom ? 0 : 1;
}
