#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

namespace weir::sim {

/// Serves one after another, in the order of asking, `at_once` at a time (FCFS).
class ServiceQueue {
  public:
    explicit ServiceQueue(std::uint64_t at_once = 1) : free_(at_once, 0.0) {}

    /// When a service that long ends, if it is asked for at this time.
    double serve(double now, double service_s) {
        busy_s_ += service_s;
        if (free_.size() == 1) {
            free_[0] = std::max(now, free_[0]) + service_s;
            return free_[0];
        }
        std::pop_heap(free_.begin(), free_.end(), std::greater<>());
        free_.back() = std::max(now, free_.back()) + service_s;
        auto const end = free_.back();
        std::push_heap(free_.begin(), free_.end(), std::greater<>());
        return end;
    }

    /// When the next service could begin.
    [[nodiscard]] double free_at() const { return free_.front(); }

    /// Seconds of service, divided by how many are served at once.
    [[nodiscard]] double busy_s() const { return busy_s_ / static_cast<double>(free_.size()); }

  private:
    std::vector<double> free_;  ///< a heap, the earliest first
    double busy_s_ = 0;
};

}  // namespace weir::sim
