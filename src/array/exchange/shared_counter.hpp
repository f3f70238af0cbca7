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

    /// Sleeps until the number has reached `target`, but for a millisecond or so at most; true if it has.
    bool wait_a_while(std::uint32_t target) noexcept;

    /// Waits until the number has reached `target`, and calls `progress` now and then: others may need this rank for
    /// their messages. It `sleeps` between, or does not.
    template <class Progress>
    void wait(std::uint32_t target, bool sleeps, Progress progress) {
        while (sleeps ? !wait_a_while(target) : !reached(target)) {
            progress();
        }
    }

  private:
    std::atomic<std::uint32_t> value_{0};
    std::atomic<std::uint32_t> sleepers_{0};
};
static_assert(std::atomic<std::uint32_t>::is_always_lock_free);

}  // namespace weir::array
