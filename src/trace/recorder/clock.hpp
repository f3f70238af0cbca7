#pragma once

#include <stdint.h>
#include <time.h>

#include "trace/recorder/system.hpp"

#if defined(__x86_64__)
#include <cpuid.h>
#include <x86intrin.h>
#endif

namespace weir::trace {

extern bool counter_is_steady;     ///< and readable
extern bool counter_is_forbidden;  ///< PR_SET_TSC: reading it, as the C library's clocks do, would kill the program

inline int64_t nanoseconds(clockid_t clock) {
    timespec t{};
    if (counter_is_forbidden) [[unlikely]] {
        system::call(SYS_clock_gettime, clock, &t);
    } else {
        clock_gettime(clock, &t);
    }
    return int64_t{t.tv_sec} * 1'000'000'000 + t.tv_nsec;
}

/// Does the processor have an invariant time stamp counter, with one rate on all cores? Reading it takes a third of the
/// time of clock_gettime().
inline bool has_steady_counter() {
#if defined(__x86_64__)
    unsigned a = 0;
    unsigned b = 0;
    unsigned c = 0;
    unsigned d = 0;
    return __get_cpuid(0x80000007, &a, &b, &c, &d) != 0 && (d & (1U << 8)) != 0;
#else
    return false;
#endif
}

/// Chooses the clock. Called once, at the start.
void choose_clock();

/// Called before the program disables the counter for itself (PR_SET_TSC): ticks continue, derived from the kernel's
/// clock.
void forbid_counter();

/// The same ticks without reading the counter.
uint64_t ticks_without_counter();

/// Ticks of this machine's clock; the head of the stream has their rate.
[[gnu::always_inline]] inline uint64_t ticks() {
#if defined(__x86_64__)
    if (counter_is_steady) [[likely]] {
        return __rdtsc();
    }
#endif
    return ticks_without_counter();
}

}  // namespace weir::trace
