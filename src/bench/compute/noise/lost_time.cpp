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

std::vector<Metric> metrics_of(std::vector<LostTime> const& ranks) {
    LostTime all;
    double worst_share = 0;
    for (auto const& one : ranks) {
        all.lost_s += one.lost_s;
        all.elapsed_s += one.elapsed_s;
        all.longest_s = std::max(all.longest_s, one.longest_s);
        worst_share = std::max(worst_share, one.lost_s / one.elapsed_s);
    }
    return {{"lost_share", all.lost_s / all.elapsed_s, "1", "share of time lost to other work", Better::lower,
             OverRanks::mean},
            {"greatest_lost_share", worst_share, "1", "share of time lost on the worst rank", Better::lower},
            {"longest_us", 1e6 * all.longest_s, "us", "longest time away", Better::lower}};
}

}  // namespace weir
