#pragma once

#include <atomic>
#include <cstdint>

namespace weir::array {

/// A monotonic counter in memory shared by the processes of a node. Waiting ranks sleep, so that with more ranks than
/// cores those that have work get the core at once. Comparisons hold across overflow.
class Counter {
  public:
    void add(std::uint32_t n) noexcept;

    [[nodiscard]] bool reached(std::uint32_t target) const noexcept {
        return static_cast<std::int32_t>(value_.load(std::memory_order_acquire) - target) >= 0;
    }

    /// Sleeps until the counter has reached `target`, at most about a millisecond; true if it has.
    bool wait_a_while(std::uint32_t target) noexcept;

    /// Waits until the counter has reached `target`, calling `progress` repeatedly: others may need this rank for their
    /// messages. Between calls it sleeps (`sleeps`) or spins.
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
