#include "core/clock.hpp"

#include <algorithm>
#include <ctime>

#include "core/interrupt.hpp"
#include "core/rank_progress.hpp"

namespace weir {

double MonotonicClock::now_s() const {
    timespec t{};
    clock_gettime(CLOCK_MONOTONIC, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

void MonotonicClock::sleep(Seconds time) {
    constexpr double longest_s = 1e9;
    constexpr double between_steps_s = 1;
    auto const end_s = now_s() + std::clamp(time.value, 0.0, longest_s);
    for (auto left_s = end_s - now_s(); left_s > 0; left_s = end_s - now_s()) {
        auto const part_s = std::min(left_s, between_steps_s);
        timespec part{};
        part.tv_sec = static_cast<time_t>(part_s);
        part.tv_nsec = static_cast<long>((part_s - static_cast<double>(part.tv_sec)) * 1e9);
        // A signal ends the sleep early on purpose: the caller checks for interruption next.
        if (nanosleep(&part, nullptr) != 0) {
            return;
        }
        note_step();
    }
}

void MonotonicClock::compute(Seconds time) {
    auto const end_s = now_s() + time.value;
    while (now_s() < end_s && !stop_requested.load(std::memory_order_relaxed)) {
        note_step();
    }
}

}  // namespace weir
