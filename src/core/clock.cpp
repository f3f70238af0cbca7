#include "core/clock.hpp"

#include <algorithm>
#include <ctime>

#include "core/interrupt.hpp"

namespace weir {

double MonotonicClock::now_s() const {
    timespec t{};
    clock_gettime(CLOCK_MONOTONIC, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

void MonotonicClock::sleep(Seconds time) {
    constexpr double longest_s = 1e9;
    time.value = std::clamp(time.value, 0.0, longest_s);
    timespec left{};
    left.tv_sec = static_cast<time_t>(time.value);
    left.tv_nsec = static_cast<long>((time.value - static_cast<double>(left.tv_sec)) * 1e9);
    // A signal ends the sleep early on purpose: the caller checks for interruption next.
    nanosleep(&left, nullptr);
}

void MonotonicClock::compute(Seconds time) {
    auto const end_s = now_s() + time.value;
    while (now_s() < end_s && !stop_requested.load(std::memory_order_relaxed)) {
    }
}

}  // namespace weir
