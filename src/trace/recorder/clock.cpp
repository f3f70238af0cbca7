#include "trace/recorder/clock.hpp"

#include <sys/prctl.h>

namespace weir::trace {

bool counter_is_steady = false;
bool counter_is_forbidden = false;

namespace {

struct Moment {
    uint64_t ticks;
    int64_t ns;
};

Moment start{0, 0};
Moment last_reading{0, 0};  ///< of the counter, when it was disabled
double ticks_per_ns = 1;

Moment now() { return {ticks(), nanoseconds(CLOCK_MONOTONIC)}; }

/// Over a shorter time the length of a tick is too inaccurate.
constexpr int64_t long_enough_ns = 5'000'000;

}  // namespace

void choose_clock() {
#if defined(__x86_64__)
    int mode = PR_TSC_ENABLE;
    counter_is_forbidden = system::call(SYS_prctl, PR_GET_TSC, &mode, 0, 0, 0) == 0 && mode == PR_TSC_SIGSEGV;
#endif
    counter_is_steady = !counter_is_forbidden && has_steady_counter();
    start = now();
}

void forbid_counter() {
    if (counter_is_forbidden) {
        return;
    }
    if (counter_is_steady) {
        do {
            last_reading = now();
        } while (last_reading.ns - start.ns < long_enough_ns);
        ticks_per_ns =
            static_cast<double>(last_reading.ticks - start.ticks) / static_cast<double>(last_reading.ns - start.ns);
    }
    __atomic_store_n(&counter_is_forbidden, true, __ATOMIC_SEQ_CST);
    __atomic_store_n(&counter_is_steady, false, __ATOMIC_SEQ_CST);
}

uint64_t ticks_without_counter() {
    if (!counter_is_forbidden) {
        return static_cast<uint64_t>(nanoseconds(CLOCK_MONOTONIC));
    }
    auto const ns = nanoseconds(CLOCK_MONOTONIC) - last_reading.ns;
    if (last_reading.ticks == 0) {
        return static_cast<uint64_t>(ns);  // it was never read
    }
    return last_reading.ticks + static_cast<uint64_t>(static_cast<double>(ns) * ticks_per_ns);
}

}  // namespace weir::trace
