#include "core/fast_clock.hpp"

#include <fstream>
#include <string>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace weir {
namespace {

#if defined(__x86_64__)
std::uint64_t ticks() { return __rdtsc(); }

/// Does the kernel itself tell the time by this counter? Then it is constant, and equal on all cores.
bool can_count() {
    std::string name;
    return std::getline(std::ifstream("/sys/devices/system/clocksource/clocksource0/current_clocksource"), name) &&
           name == "tsc";
}
#else
std::uint64_t ticks() { return 0; }
bool can_count() { return false; }
#endif

/// Both clocks at one moment: of a few readings, that during which the system's clock took the least time.
struct BothClocks {
    double s = 0;
    std::uint64_t ticks = 0;
};

BothClocks now_on_both(Clock const& system) {
    constexpr int readings = 20;
    BothClocks best;
    double least_s = 1;
    for (int i = 0; i < readings; ++i) {
        auto const before_s = system.now_s();
        auto const read = ticks();
        auto const after_s = system.now_s();
        if (after_s - before_s < least_s) {
            least_s = after_s - before_s;
            best = {(before_s + after_s) / 2, read};
        }
    }
    return best;
}

}  // namespace

FastClock::FastClock() {
    if (!can_count()) {
        return;
    }
    constexpr double long_enough_s = 10e-3;
    auto const from = now_on_both(system_);
    system_.compute(Seconds(long_enough_s));
    auto const to = now_on_both(system_);
    if (to.ticks > from.ticks && to.s > from.s) {
        zero_ticks_ = from.ticks;
        zero_s_ = from.s;
        s_per_tick_ = (to.s - from.s) / static_cast<double>(to.ticks - from.ticks);
    }
}

FastClock const& FastClock::shared() {
    static FastClock const clock;
    return clock;
}

double FastClock::now_s() const {
    return s_per_tick_ > 0 ? zero_s_ + static_cast<double>(ticks() - zero_ticks_) * s_per_tick_ : system_.now_s();
}

}  // namespace weir
