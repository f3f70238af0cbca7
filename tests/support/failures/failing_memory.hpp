#pragma once

// Memory that runs out on one rank, at any allocation in C++ of a collective call. For one source of a program alone:
// it stands in for every form of new.

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <string>

#include "support/arrays/array_fixture.hpp"

namespace weir::testing::failing_memory {

constexpr std::uint64_t endless = ~std::uint64_t{0};
inline std::atomic<std::uint64_t> left{endless};
inline std::atomic<bool> always{false};
inline std::atomic<bool> failed{false};

inline bool fails() {
    if (left.load(std::memory_order_relaxed) == endless) {
        return false;
    }
    // A thread may allocate at the same time.
    for (auto n = left.load(); n != endless;) {
        auto const next = n > 0 ? n - 1 : always ? 0 : endless;
        if (left.compare_exchange_weak(n, next)) {
            failed = failed || n == 0;
            return n == 0;
        }
    }
    return false;
}

inline void* allocated_or_null(std::size_t bytes, std::size_t alignment) noexcept {
    return fails() ? nullptr : std::aligned_alloc(alignment, (bytes + alignment) / alignment * alignment);
}

inline void* allocated(std::size_t bytes, std::size_t alignment) {
    auto* const memory = allocated_or_null(bytes, alignment);
    if (memory == nullptr) {
        throw std::bad_alloc();
    }
    return memory;
}

}  // namespace weir::testing::failing_memory

void* operator new(std::size_t bytes) {
    return weir::testing::failing_memory::allocated(bytes, alignof(std::max_align_t));
}
void* operator new(std::size_t bytes, std::align_val_t alignment) {
    return weir::testing::failing_memory::allocated(bytes, static_cast<std::size_t>(alignment));
}
void* operator new(std::size_t bytes, std::nothrow_t const&) noexcept {
    return weir::testing::failing_memory::allocated_or_null(bytes, alignof(std::max_align_t));
}
void* operator new[](std::size_t bytes) {
    return weir::testing::failing_memory::allocated(bytes, alignof(std::max_align_t));
}
void* operator new[](std::size_t bytes, std::nothrow_t const&) noexcept {
    return weir::testing::failing_memory::allocated_or_null(bytes, alignof(std::max_align_t));
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete[](void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }

namespace weir::testing {

/// Makes memory run out on this rank: from construction on so many allocations succeed, then one fails, or all do.
/// Destruction gives memory back. One at a time.
class FailingMemory {
  public:
    enum class Then { fails_once, fails_always };
    FailingMemory(std::uint64_t successes, Then then) {
        failing_memory::failed = false;
        failing_memory::always = then == Then::fails_always;
        failing_memory::left = successes;
    }
    ~FailingMemory() { failing_memory::left = failing_memory::endless; }
    FailingMemory(FailingMemory const&) = delete;
    FailingMemory& operator=(FailingMemory const&) = delete;

    /// Has any allocation failed?
    [[nodiscard]] static bool has_failed() { return failing_memory::failed; }
};

/// Runs a collective call again and again, each time with another allocation of this rank that fails (`mine`: of one
/// rank alone), until it makes no more of them. `call` returns its code and fills `error`. Collective.
template <class Call>
void sweep(Communicator const& comm, bool mine, weir_error const& error, Call call) {
    for (auto const then : {FailingMemory::Then::fails_once, FailingMemory::Then::fails_always}) {
        bool some = true;
        for (std::uint64_t n = 0; some; n += 1 + n / 10) {
            SCOPED_TRACE(::testing::Message() << "allocation " << n);
            int code = WEIR_OK;
            if (mine) {
                FailingMemory const memory(n, then);
                code = call();
                some = FailingMemory::has_failed();
            } else {
                code = call();
            }
            auto const told = comm.all_gather(std::to_string(code) + ": " + (code == WEIR_OK ? "" : error.message));
            some = comm.max(std::uint64_t{mine && some ? 1U : 0U}) != 0;
            ASSERT_EQ(told[comm.rank()], told[0]);
            ASSERT_TRUE(code == WEIR_OK || (some && code == WEIR_NO_MEMORY)) << code << error.message;
        }
    }
}

/// Dumps of two ranks.
template <class Param>
class FailingMemoryTest : public ArrayFixture, public ::testing::WithParamInterface<Param> {
  protected:
    void SetUp() override {
        if (comm.size() != 2) {
            GTEST_SKIP() << "for 2 ranks: one that fails, and one that must not wait for it";
        }
    }
};

}  // namespace weir::testing
