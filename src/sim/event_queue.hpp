#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <vector>

namespace weir::sim {

/// What happens when, the earliest first; of equal times, what was added first. Times are not negative, and never
/// earlier than the last one taken. A radix heap (Ahuja et al., J. ACM 37, 1990): constant amortised time for doubles.
template <class What>
class EventQueue {
  public:
    void add(double at, What what) {
        auto const key = std::bit_cast<std::uint64_t>(at);
        buckets_[place_of(key)].push_back({key, what});
        earliest_ = earliest_ == unknown ? unknown : std::min(earliest_, key);
        ++size_;
    }

    [[nodiscard]] bool empty() const { return size_ == 0; }

    /// The earliest time; there must be one. What is added later may still be earlier: nothing is moved for it.
    [[nodiscard]] double next() {
        if (earliest_ == unknown) {
            for (auto const& entry : *first_bucket()) {
                earliest_ = std::min(earliest_, entry.key);
            }
        }
        return std::bit_cast<double>(earliest_);
    }

    /// Takes the earliest; there must be one.
    What take() {
        settle();
        --size_;
        earliest_ = unknown;
        auto const what = buckets_[0][taken_++].what;
        if (taken_ == buckets_[0].size()) {
            buckets_[0].clear();
            taken_ = 0;
        } else {
            earliest_ = last_;
        }
        return what;
    }

  private:
    struct Entry {
        std::uint64_t key;
        What what;
    };

    /// Keys that agree with the last one taken in all higher bits than this.
    [[nodiscard]] std::size_t place_of(std::uint64_t key) const {
        return static_cast<std::size_t>(64 - std::countl_zero(key ^ last_));
    }

    [[nodiscard]] std::vector<Entry>* first_bucket() {
        return &*std::find_if(buckets_.begin(), buckets_.end(), [](auto const& bucket) { return !bucket.empty(); });
    }

    /// Moves the earliest to the first bucket, in the order in which they were added.
    void settle() {
        if (!buckets_[0].empty()) {
            return;
        }
        auto& from = *first_bucket();
        last_ = from.front().key;
        for (auto const& entry : from) {
            last_ = std::min(last_, entry.key);
        }
        moving_.swap(from);
        for (auto const& entry : moving_) {
            buckets_[place_of(entry.key)].push_back(entry);
        }
        moving_.clear();
    }

    std::array<std::vector<Entry>, 65> buckets_;
    std::vector<Entry> moving_;
    static constexpr auto unknown = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t last_ = 0;
    std::uint64_t earliest_ = unknown;
    std::size_t taken_ = 0;
    std::size_t size_ = 0;
};

}  // namespace weir::sim
