#pragma once

#include <array>
#include <bit>
#include <cstdint>
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
        ++size_;
    }

    [[nodiscard]] bool empty() const { return size_ == 0; }

    /// The earliest time; there must be one.
    [[nodiscard]] double next() {
        settle();
        return std::bit_cast<double>(buckets_[0][taken_].key);
    }

    /// Takes the earliest; there must be one.
    What take() {
        settle();
        --size_;
        auto const what = buckets_[0][taken_++].what;
        if (taken_ == buckets_[0].size()) {
            buckets_[0].clear();
            taken_ = 0;
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

    /// Moves the earliest to the first bucket, in the order in which they were added.
    void settle() {
        if (!buckets_[0].empty()) {
            return;
        }
        std::size_t from = 1;
        while (buckets_[from].empty()) {
            ++from;
        }
        last_ = buckets_[from].front().key;
        for (auto const& entry : buckets_[from]) {
            last_ = entry.key < last_ ? entry.key : last_;
        }
        moving_.swap(buckets_[from]);
        for (auto const& entry : moving_) {
            buckets_[place_of(entry.key)].push_back(entry);
        }
        moving_.clear();
    }

    std::array<std::vector<Entry>, 65> buckets_;
    std::vector<Entry> moving_;
    std::uint64_t last_ = 0;
    std::size_t taken_ = 0;
    std::size_t size_ = 0;
};

}  // namespace weir::sim
