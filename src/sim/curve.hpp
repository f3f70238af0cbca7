#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace weir::sim {

/// Seconds that depend on bytes: on straight lines between points whose bytes rise; below the first as there, beyond
/// the last as steep as between the last two. None without points.
struct Curve {
    std::vector<std::pair<double, double>> points;

    [[nodiscard]] bool empty() const { return points.empty(); }

    /// Not less than 0.
    [[nodiscard]] double operator()(double bytes) const {
        auto const after = std::ranges::upper_bound(points, bytes, {}, &std::pair<double, double>::first);
        if (after == points.begin() || points.size() < 2) {
            return points.empty() ? 0 : points.front().second;
        }
        auto const& other = after == points.end() ? points.back() : *after;
        auto const& one = *std::prev(after, after == points.end() ? 2 : 1);
        return std::max(0.0,
                        one.second + (other.second - one.second) * (bytes - one.first) / (other.first - one.first));
    }
};

}  // namespace weir::sim
