#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <vector>

namespace weir::sim {

/// The first and the last of some times that lie evenly between them.
struct Span {
    double first = 0;
    double last = 0;

    [[nodiscard]] double mean() const { return (first + last) / 2; }
    [[nodiscard]] Span later(double seconds) const { return {first + seconds, last + seconds}; }
};

/// Serves one after another, in the order of asking, `at_once` at a time (FCFS).
class ServiceQueue {
  public:
    explicit ServiceQueue(std::uint64_t at_once = 1) : free_(at_once, 0.0) {}

    /// When a service that long ends, if it is asked for at this time.
    double serve(double now, double service_s) {
        busy_s_ += service_s;
        if (free_.size() == 1) {
            single_until_ = free_[0] = std::max(now, free_[0]) + service_s;
            return free_[0];
        }
        std::pop_heap(free_.begin(), free_.end(), std::greater<>());
        free_.back() = std::max(now, free_.back()) + service_s;
        auto const end = free_.back();
        single_until_ = end;
        std::push_heap(free_.begin(), free_.end(), std::greater<>());
        return end;
    }

    /// The same for many equal services that are asked for evenly between two times: when the first and the last one
    /// end, if what else is asked for in that time is served in between.
    Span serve_many(Span asked, std::uint64_t many, double service_s) {
        auto const each = service_s / static_cast<double>(free_.size());
        auto const work = static_cast<double>(many) * each;
        busy_s_ += static_cast<double>(many) * service_s;
        // Where nothing waits, a new time of service begins; batches that are still being asked for go on.
        if (batches_.empty() || asked.first >= base_ + arrived(asked.first)) {
            base_ = std::max(asked.first, single_until_) - arrived(asked.first);
        }
        // What has all been asked for before is only a sum.
        std::erase_if(batches_, [&](Batch const& batch) {
            bool const is_over = batch.asked.last <= asked.first;
            settled_s_ += is_over ? batch.work_s : 0;
            return is_over;
        });
        auto const first = std::max(asked.first, base_ + arrived(asked.first)) + service_s;
        batches_.push_back({asked, work});
        auto const last = std::max(asked.last + service_s, base_ + arrived(asked.last));
        std::fill(free_.begin(), free_.end(), std::max(free_.front(), last));
        return {std::min(first, last), last};
    }

    /// Seconds of service until then, divided by how many are served at once.
    [[nodiscard]] double busy_s(double until) const {
        auto busy_s = busy_s_;
        for (auto const free : free_) {
            busy_s -= std::max(0.0, free - until);
        }
        return std::max(0.0, busy_s) / static_cast<double>(free_.size());
    }

  private:
    struct Batch {
        Span asked;
        double work_s;
    };

    /// The work of batches that has been asked for until then.
    [[nodiscard]] double arrived(double until) const {
        double sum = settled_s_;
        for (auto const& [asked, work_s] : batches_) {
            auto const length = asked.last - asked.first;
            auto const share = length > 0 ? (until - asked.first) / length : until >= asked.first ? 1.0 : 0.0;
            sum += work_s * std::clamp(share, 0.0, 1.0);
        }
        return sum;
    }

    std::vector<Batch> batches_;  ///< of the time in which it has been busy since
    double settled_s_ = 0;        ///< work of batches that are all asked for
    double base_ = 0;             ///< when that began
    double single_until_ = 0;     ///< the end of the last single service
    std::vector<double> free_;    ///< a heap, the earliest first
    double busy_s_ = 0;
};

}  // namespace weir::sim
