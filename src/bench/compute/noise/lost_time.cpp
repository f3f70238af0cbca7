#include "bench/compute/noise/lost_time.hpp"

#include <algorithm>

#include "core/interrupt.hpp"

namespace weir {

LostTime watch_clock(Clock const& clock, double duration_s) {
    LostTime found;
    auto const from_s = clock.now_s();
    for (auto last_s = from_s; last_s - from_s < duration_s && !stop_requested.load(std::memory_order_relaxed);) {
        auto const now_s = clock.now_s();
        auto const gap_s = now_s - last_s;
        if (gap_s > detour_s) {
            found.lost_s += gap_s;
            found.longest_s = std::max(found.longest_s, gap_s);
            ++found.detours;
        }
        last_s = now_s;
    }
    found.elapsed_s = clock.now_s() - from_s;
    return found;
}

}  // namespace weir
