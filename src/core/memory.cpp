#include "core/memory.hpp"

#include <fmt/format.h>
#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "core/error.hpp"
#include "core/interrupt.hpp"
#include "core/proc.hpp"
#include "core/rank_progress.hpp"

namespace weir {
namespace {

/// Bytes of a buffer that are touched between two looks for a signal that asks to stop.
constexpr std::uint64_t between_checks = 64ULL << 20;

void* try_to_map(std::uint64_t bytes) {
    return mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

std::byte* map(std::uint64_t bytes) {
    auto* place = try_to_map(bytes);
    if (place == MAP_FAILED) {
        throw system_error(fmt::format("cannot get {} bytes of memory", bytes), errno,
                           "Use smaller transfers, or fewer ranks per node.");
    }
    return static_cast<std::byte*>(place);
}

}  // namespace

Buffer::Buffer(std::uint64_t bytes, Pages pages)
    : data_(map(std::max<std::uint64_t>(bytes, 1)), Unmap{std::max<std::uint64_t>(bytes, 1)}), size_(bytes) {
    if (pages == Pages::large) {
        madvise(data_.get(), bytes, MADV_HUGEPAGE);  // a kernel without them goes on with small ones
    }
    for (std::uint64_t offset = 0; offset < bytes; offset += between_checks) {
        if (offset > 0) {
            throw_if_interrupted();
        }
        std::memset(data_.get() + offset, 0x5a, std::min(between_checks, bytes - offset));
    }
}

void Buffer::Unmap::operator()(std::byte* place) const { munmap(place, bytes); }

TouchTime touch_memory(std::uint64_t bytes, Clock const& clock, Pages pages) {
    auto* memory = bytes == 0 ? MAP_FAILED : try_to_map(bytes);
    if (memory == MAP_FAILED) {
        return {};
    }
    auto* place = static_cast<std::byte*>(memory);
    if (pages == Pages::large) {
        madvise(place, bytes, MADV_HUGEPAGE);
    }
    auto const page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    auto const start = clock.now_s();
    std::uint64_t touched = 0;
    for (; touched < bytes && !stop_requested.load(std::memory_order_relaxed); touched += page) {
        // Volatile, so that the compiler does not remove stores that are never read.
        *const_cast<std::byte volatile*>(place + touched) = std::byte{1};
        note_step();
    }
    auto const elapsed = clock.now_s() - start;
    munmap(place, bytes);
    return {std::min(touched, bytes), elapsed};
}

void keep_to_address_space() {
#ifdef M_ARENA_MAX
    if (address_space_left()) {
        mallopt(M_ARENA_MAX, 1);
    }
#endif
}

}  // namespace weir
