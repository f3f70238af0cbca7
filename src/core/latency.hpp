#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <span>

#include "core/json_fwd.hpp"

namespace weir {

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

}  // namespace weir
