#pragma once

#include <atomic>
#include <cstdint>

namespace weir::array {

/// A number that only grows, in memory that processes of a node share. Waiting ranks sleep, so that with more ranks
/// than cores those that have work get the core at once. Comparisons hold across the number's overflow.
class Counter {
  public:
    void add(std::uint32_t n) noexcept;

    [[nodiscard]] bool reached(std::uint32_t target) const noexcept {
        return static_cast<std::int32_t>(value_.load(std::memory_order_acquire) - target) >= 0;
    }

    /// Sleeps until the number has reached `target`.
    void wait(std::uint32_t target) noexcept;

    /// The same, but for a millisecond or so at most; true if the number has reached `target`.
    bool wait_a_while(std::uint32_t target) noexcept;

    /// For a rank that others may need for their messages to move on: calls `progress` while it waits.
    template <class Progress>
    void wait(std::uint32_t target, Progress progress) {
        while (!reached(target)) {
            progress();
        }
    }

  private:
    std::atomic<std::uint32_t> value_{0};
    std::atomic<std::uint32_t> sleepers_{0};
};
static_assert(std::atomic<std::uint32_t>::is_always_lock_free);

}  // namespace weir::array
