#pragma once

#include <cstdint>
#include <vector>

#include "bench/metric.hpp"
#include "core/clock.hpp"

namespace weir {

/// Two readings of a clock that are further apart have something else between them: the operating system, another
/// process, the hypervisor (the "selfish detour" of P. Beckman et al., The Influence of Operating Systems on the
/// Performance of Collective Operations at Extreme Scale, Cluster 2006). The time between them is lost.
constexpr double detour_s = 1e-6;

struct LostTime {
    double lost_s = 0;
    double longest_s = 0;
    double elapsed_s = 0;
    std::uint64_t detours = 0;
};

/// Reads the clock without pause, for so long or until a stop is asked for. Local.
LostTime watch_clock(Clock const&, double duration_s);

/// What all ranks lost: the share of their time, that of the worst, the longest time that any was away. Pure.
std::vector<Metric> metrics_of(std::vector<LostTime> const& ranks);

}  // namespace weir
