#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace weir {

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
