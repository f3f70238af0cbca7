#include "core/latency.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/error.hpp"
#include "core/json.hpp"

namespace weir {

Spread spread(std::span<double const> values) {
    expect(!values.empty(), "a spread needs a value");
    auto const [least, greatest] = std::minmax_element(values.begin(), values.end());
    auto const sum = std::accumulate(values.begin(), values.end(), 0.0);
    return {*least, sum / static_cast<double>(values.size()), *greatest,
            static_cast<std::size_t>(greatest - values.begin())};
}

double median(std::vector<double> values) {
    expect(!values.empty(), "a median needs a value");
    auto const middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    auto const upper = *middle;
    return values.size() % 2 == 1 ? upper : (upper + *std::max_element(values.begin(), middle)) / 2;
}

void LatencySketch::add(LatencySketch const& other) {
    if (other.count_ == 0) {
        return;
    }
    min_s_ = count_ == 0 ? other.min_s_ : std::min(min_s_, other.min_s_);
    max_s_ = std::max(max_s_, other.max_s_);
    for (std::size_t bin = 0; bin < bins; ++bin) {
        counts_[bin] += other.counts_[bin];
    }
    count_ += other.count_;
    sum_s_ += other.sum_s_;
}

double LatencySketch::upper_bound_s(std::size_t bin) {
    auto const octave = static_cast<int>(bin / bins_per_doubling);
    auto const step = static_cast<double>(bin % bins_per_doubling + 1) / bins_per_doubling;
    return std::ldexp(1 + step, octave) * 1e-9;
}

std::optional<double> LatencySketch::percentile_s(double share) const {
    auto const count = static_cast<double>(count_);
    if (count_ == 0 || count * (1 - share) < 1 - 1e-9) {
        return {};
    }
    auto const wanted = static_cast<std::uint64_t>(std::ceil(count * share - 1e-9));
    std::uint64_t below = 0;
    for (std::size_t bin = 0; bin < bins; ++bin) {
        below += counts_[bin];
        if (below >= wanted) {
            // The middle of the bin, clamped to the observed range.
            auto const middle = upper_bound_s(bin) * (1 - relative_error);
            return std::clamp(middle, min_s_, max_s_);
        }
    }
    return max_s_;
}

Json LatencySketch::to_json() const {
    if (count_ == 0) {
        return {};
    }
    auto const percentile = [&](double share) {
        auto const value = percentile_s(share);
        return value ? Json(*value) : Json();
    };
    auto histogram = Json::array();
    for (std::size_t bin = 0; bin < bins; ++bin) {
        if (counts_[bin] > 0) {
            histogram.push_back({upper_bound_s(bin), counts_[bin]});
        }
    }
    return {{"timed", count_},
            {"min_s", min_s_},
            {"mean_s", sum_s_ / static_cast<double>(count_)},
            {"max_s", max_s_},
            {"p50_s", percentile(0.5)},
            {"p90_s", percentile(0.9)},
            {"p95_s", percentile(0.95)},
            {"p99_s", percentile(0.99)},
            {"p99_9_s", percentile(0.999)},
            {"relative_error", relative_error},
            {"histogram", std::move(histogram)}};
}

void Timeline::double_interval() {
    for (std::size_t i = 0; i < most_intervals; ++i) {
        bytes_[i] = 2 * i < most_intervals ? bytes_[2 * i] + bytes_[2 * i + 1] : 0;
    }
    interval_s_ *= 2;
}

void Timeline::add(Timeline const& other) {
    auto finer = other;
    while (interval_s_ < finer.interval_s_) {
        double_interval();
    }
    while (finer.interval_s_ < interval_s_) {
        finer.double_interval();
    }
    for (std::size_t i = 0; i < most_intervals; ++i) {
        bytes_[i] += finer.bytes_[i];
    }
}

std::vector<std::uint64_t> Timeline::bytes() const {
    auto used = most_intervals;
    while (used > 0 && bytes_[used - 1] == 0) {
        --used;
    }
    return {bytes_.begin(), bytes_.begin() + static_cast<std::ptrdiff_t>(used)};
}

}  // namespace weir
