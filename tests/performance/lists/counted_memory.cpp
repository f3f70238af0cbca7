// Replaces operator new for the program and, since they look it up in the program first, for its libraries.

#include "lists/counted_memory.hpp"

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace {

std::atomic<std::uint64_t> held{0};
std::atomic<std::uint64_t> most{0};
constexpr std::size_t head = alignof(std::max_align_t);  // the size stands before the memory

}  // namespace

void* operator new(std::size_t bytes) {
    auto* const memory = static_cast<std::byte*>(std::malloc(bytes + head));
    if (memory == nullptr) {
        throw std::bad_alloc();
    }
    *reinterpret_cast<std::size_t*>(memory) = bytes;
    auto const now = held += bytes;
    for (auto seen = most.load(); seen < now && !most.compare_exchange_weak(seen, now);) {
    }
    return memory + head;
}

void operator delete(void* memory) noexcept {
    if (memory != nullptr) {
        auto* const first = static_cast<std::byte*>(memory) - head;
        held -= *reinterpret_cast<std::size_t*>(first);
        std::free(first);
    }
}

void operator delete(void* memory, std::size_t) noexcept { operator delete(memory); }

namespace weir::performance {

std::uint64_t held_bytes() { return held; }
std::uint64_t most_held_bytes() { return most; }
void forget_most() { most = held.load(); }

}  // namespace weir::performance
