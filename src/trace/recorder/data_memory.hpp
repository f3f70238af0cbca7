#pragma once

#include <stddef.h>
#include <stdint.h>

namespace weir::trace {

/// How much memory the data of this process's calls lie in: one buffer that all calls use stays in a cache, arrays that
/// they walk through do not, and a call takes up to a fifth longer. Counted in blocks of 16 KiB, each noted as a bit at
/// its address's hash: up to 256 MiB, where blocks that share a bit count once. And where in a page most data begin:
/// it decides how fast they are copied.
class CallMemory {
  public:
    /// The data of a call that moved some. Any thread.
    void note(void const* data, uint64_t bytes) {
        vote(reinterpret_cast<uintptr_t>(data) % page_bytes, static_cast<int64_t>(bytes));
        auto const first = reinterpret_cast<uintptr_t>(data) / block_bytes;
        auto const last =
            (reinterpret_cast<uintptr_t>(data) + (bytes < most_noted ? bytes : most_noted) - 1) / block_bytes;
        for (auto block = first; block <= last; ++block) {
            // Fibonacci hashing: neighbours get bits of their own.
            auto const bit = (block * 0x9E3779B97F4A7C15U) >> (64 - log_bits);
            auto& word = words_[bit / 64];
            auto const mask = uint64_t{1} << bit % 64;
            if ((__atomic_load_n(&word, __ATOMIC_RELAXED) & mask) == 0) {
                __atomic_fetch_or(&word, mask, __ATOMIC_RELAXED);
            }
        }
    }

    /// 0: no call had data.
    [[nodiscard]] int64_t bytes() const;

    /// Where in a page of 4096 bytes most data began, if more than half of the bytes did at one place.
    [[nodiscard]] int64_t in_page() const { return static_cast<int64_t>(__atomic_load_n(&place_, __ATOMIC_RELAXED)); }

    /// In the child of a fork.
    void forget();

  private:
    /// By majority (R. S. Boyer and J S. Moore, MJRTY, 1991); threads that vote at once may lose a vote.
    void vote(uint64_t place, int64_t bytes) {
        auto const votes = __atomic_load_n(&votes_, __ATOMIC_RELAXED);
        bool const agrees = place == __atomic_load_n(&place_, __ATOMIC_RELAXED);
        if (!agrees && votes < bytes) {
            __atomic_store_n(&place_, place, __ATOMIC_RELAXED);
        }
        auto const left = votes - bytes;
        __atomic_store_n(&votes_, agrees ? votes + bytes : left < 0 ? -left : left, __ATOMIC_RELAXED);
    }

    static constexpr uint64_t page_bytes = 4096;
    static constexpr uintptr_t block_bytes = 16 << 10;
    static constexpr uint64_t most_noted = 64 << 20;  ///< of one call
    static constexpr int log_bits = 14;
    static constexpr size_t words = (size_t{1} << log_bits) / 64;

    uint64_t words_[words] = {};
    uint64_t place_ = 0;
    int64_t votes_ = 0;
};

/// Of calls of POSIX, and of MPI-IO.
extern CallMemory posix_memory;
extern CallMemory mpiio_memory;

}  // namespace weir::trace
