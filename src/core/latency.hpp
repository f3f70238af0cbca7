#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/json_fwd.hpp"

namespace weir {

/// Minimum, mean and maximum of one value per rank, and the rank of the maximum.
struct Spread {
    double min = 0;
    double mean = 0;
    double max = 0;
    std::size_t argmax = 0;
};

/// `values` holds one value per rank and is not empty.
Spread spread(std::span<double const> values);

/// The middle of the sorted values, or the mean of the two in the middle. There is at least one.
double median(std::vector<double> values);

/// A distribution of durations in 8 KiB, regardless of their number: counts in bins that grow with the duration, 16 to
/// each doubling from 1 ns on, so that the relative error of a percentile is at most 1/32. Sketches of many ranks can
/// be added.
class LatencySketch {
  public:
    static constexpr std::size_t bins_per_doubling = 16;
    static constexpr std::size_t bins = 64 * bins_per_doubling;
    static constexpr double relative_error = 1.0 / (2 * bins_per_doubling);

    void add(double seconds) {
        ++counts_[bin_of(seconds)];
        ++count_;
        sum_s_ += seconds;
        min_s_ = count_ == 1 || seconds < min_s_ ? seconds : min_s_;
        max_s_ = seconds > max_s_ ? seconds : max_s_;
    }

    void add(LatencySketch const&);

    [[nodiscard]] std::uint64_t count() const { return count_; }
    [[nodiscard]] double max_s() const { return max_s_; }

    /// The duration below which `share` (0 to 1) of all are; nothing if there are fewer than 1 / (1 - share).
    [[nodiscard]] std::optional<double> percentile_s(double share) const;

    /// Keys min_s, mean_s, max_s, p50_s to p99_9_s, relative_error and histogram: [[upper bound in seconds, count],
    /// ...] without empty bins. Null without durations.
    [[nodiscard]] Json to_json() const;

  private:
    /// From the duration in whole nanoseconds: its highest bit, and the next four.
    static std::size_t bin_of(double seconds) {
        auto const ns = seconds < 1e-9 ? 1 : static_cast<std::uint64_t>(seconds * 1e9);
        auto const octave = static_cast<std::size_t>(std::bit_width(ns)) - 1;
        auto const rest = octave >= 4 ? ns >> (octave - 4) : ns << (4 - octave);
        return octave * bins_per_doubling + (rest & (bins_per_doubling - 1));
    }

    static double upper_bound_s(std::size_t bin);

    std::array<std::uint64_t, bins> counts_{};
    std::uint64_t count_ = 0;
    double sum_s_ = 0;
    double min_s_ = 0;
    double max_s_ = 0;
};

/// Bytes over time in a bounded number of equal intervals, whose length doubles when time exceeds them.
class Timeline {
  public:
    static constexpr std::size_t most_intervals = 128;
    static constexpr double shortest_s = 1e-3;

    /// `seconds` since the start common to all ranks; an earlier time counts as the start.
    void add(double seconds, std::uint64_t bytes) {
        while (seconds >= interval_s_ * most_intervals) {
            double_interval();
        }
        bytes_[seconds > 0 ? static_cast<std::size_t>(seconds / interval_s_) : 0] += bytes;
    }

    void add(Timeline const&);

    [[nodiscard]] double interval_s() const { return interval_s_; }

    /// Up to the last interval in which a request finished.
    [[nodiscard]] std::vector<std::uint64_t> bytes() const;

  private:
    void double_interval();

    double interval_s_ = shortest_s;
    std::array<std::uint64_t, most_intervals> bytes_{};
};

}  // namespace weir
