#include "core/memory.hpp"

#include <fmt/format.h>
#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "core/error.hpp"
#include "core/proc.hpp"
#include "core/rank_progress.hpp"

namespace weir {
namespace {

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

Buffer::Buffer(std::uint64_t bytes, Pages pages) : data_(map(bytes == 0 ? 1 : bytes)), size_(bytes) {
    if (pages == Pages::large) {
        madvise(data_, bytes, MADV_HUGEPAGE);  // a kernel without them goes on with small ones
    }
    std::memset(data_, 0x5a, bytes);
}

Buffer::~Buffer() { munmap(data_, size_ == 0 ? 1 : size_); }

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
    for (std::uint64_t offset = 0; offset < bytes; offset += page) {
        // Volatile, so that the compiler does not remove stores that are never read.
        *const_cast<std::byte volatile*>(place + offset) = std::byte{1};
        note_step();
    }
    auto const elapsed = clock.now_s() - start;
    munmap(place, bytes);
    return {bytes, elapsed};
}

void keep_to_address_space() {
#ifdef M_ARENA_MAX
    if (address_space_left()) {
        mallopt(M_ARENA_MAX, 1);
    }
#endif
}

}  // namespace weir
