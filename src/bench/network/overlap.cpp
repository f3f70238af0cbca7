#include "bench/network/overlap.hpp"

#include <algorithm>
#include <utility>

namespace weir {
namespace {

/// Each step needs the one before, so that a compiler cannot shorten them.
void steps(std::uint64_t count) {
    constexpr double factor = 0.999;
    double value = 1;
    for (std::uint64_t i = 0; i < count; ++i) {
        value = value * factor + 1;
    }
    [[maybe_unused]] double volatile const result = value;
}

}  // namespace

std::optional<double> OverlapTimes::share() const {
    auto const longer_s = std::max(pure_s, cpu_s);
    if (longer_s <= 0) {
        return {};
    }
    return std::clamp((pure_s + cpu_s - overlapped_s) / longer_s, 0.0, 1.0);
}

OverlapTimes const& slowest_of(std::span<OverlapTimes const> ranks) {
    return *std::ranges::max_element(ranks, {}, &OverlapTimes::overlapped_s);
}

/// The fastest of some trials: what disturbs one only makes it slower.
Computing::Computing(Clock const& clock) {
    constexpr std::uint64_t count = 100'000;
    constexpr int trials = 5;
    for (int trial = 0; trial < trials; ++trial) {
        auto const from_s = clock.now_s();
        steps(count);
        steps_per_s_ = std::max(steps_per_s_, count / std::max(clock.now_s() - from_s, 1e-9));
    }
}

void Computing::operator()(double time_s) const { steps(static_cast<std::uint64_t>(time_s * steps_per_s_)); }

OverlappedCall::OverlappedCall(CallSetting const& setting, NetworkCall const& call, NonblockingCall& parts,
                               Clock const& clock, Compute compute)
    : NetworkCall(setting), call_(call), parts_(parts), clock_(clock), compute_(std::move(compute)) {}

void OverlappedCall::call(CallPlace const& at) {
    parts_.start(at);
    auto const from_s = clock_.now_s();
    compute_(compute_s_);
    cpu_s_ += clock_.now_s() - from_s;
    ++calls_;
    parts_.wait();
}

void OverlappedCall::begin(double compute_s) {
    compute_s_ = compute_s;
    cpu_s_ = 0;
    calls_ = 0;
}

}  // namespace weir
