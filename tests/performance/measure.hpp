#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "core/clock.hpp"

namespace weir::performance {

/// A median with its 95 % interval from order statistics: the narrowest symmetric pair of ranks whose binomial coverage
/// is 95 % or more. Le Boudec: Performance evaluation of computer and communication systems, 2010, theorem 2.1.
struct Median {
    double value = 0;
    double low = 0;
    double high = 0;
    std::size_t samples = 0;
};

inline Median median_of(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    auto const n = values.size();
    auto const choose = [](std::size_t from, std::size_t k) {
        return std::exp(std::lgamma(static_cast<double>(from) + 1) - std::lgamma(static_cast<double>(k) + 1) -
                        std::lgamma(static_cast<double>(from - k) + 1));
    };
    // Outside of [value k, value n-1-k] the median lies with probability 2 * P(Binomial(n, 1/2) <= k).
    double tail = 0;
    std::size_t k = 0;
    for (std::size_t i = 0; i < n / 2; ++i) {
        tail += choose(n, i) * std::pow(0.5, static_cast<double>(n));
        if (2 * tail > 0.05) {
            break;
        }
        k = i;
    }
    auto const middle = n % 2 == 1 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
    return {middle, values[k], values[n - 1 - k], n};
}

/// So many samples of what `sample` returns.
template <class Sample>
Median median_of(int samples, Sample sample) {
    std::vector<double> values(static_cast<std::size_t>(samples));
    std::generate(values.begin(), values.end(), sample);
    return median_of(std::move(values));
}

enum class Better { higher, lower };

/// Prints one line with median, interval, samples and goal; returns whether the goal was met.
inline bool report(std::string const& what, Median const& m, std::string const& unit, double goal, Better better) {
    auto const met = better == Better::higher ? m.value >= goal : m.value <= goal;
    fmt::print("{:58} {:10.4g} [{:.4g}, {:.4g}] {} (n = {}), goal {} {:g}: {}\n", what, m.value, m.low, m.high, unit,
               m.samples, better == Better::higher ? "at least" : "at most", goal, met ? "met" : "MISSED");
    return met;
}

/// Seconds that `work` takes.
template <class Work>
double seconds(Work work) {
    MonotonicClock const clock;
    auto const start = clock.now_s();
    work();
    return clock.now_s() - start;
}

}  // namespace weir::performance
