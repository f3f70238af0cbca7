#include "comm/node_memory.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cinttypes>
#include <cstdio>
#include <new>
#include <utility>

namespace weir {
namespace {

/// Memory behind a descriptor, allocated now so that touching it later cannot fail: a sparse file in /dev/shm can be
/// larger than the file system, and then a touch kills the program.
int reserve(std::uint64_t bytes) {
    auto const descriptor = ::memfd_create("weir", MFD_CLOEXEC);
    if (descriptor >= 0 && bytes > 0 && ::posix_fallocate(descriptor, 0, static_cast<off_t>(bytes)) != 0) {
        ::close(descriptor);
        return -1;
    }
    return descriptor;
}

std::byte* map(int descriptor, int flags, std::uint64_t bytes) {
    auto* const place = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, flags, descriptor, 0);
    return place == MAP_FAILED ? nullptr : static_cast<std::byte*>(place);
}

std::byte* map_alone(std::uint64_t bytes) { return map(-1, MAP_PRIVATE | MAP_ANONYMOUS, bytes); }

/// Memory that another process of this node has reserved; null if access is denied.
std::byte* map_of(std::uint64_t process, int descriptor, std::uint64_t bytes) {
    std::array<char, 64> path{};  // no allocation, which could fail between two collective calls
    std::snprintf(path.data(), path.size(), "/proc/%" PRIu64 "/fd/%d", process, descriptor);
    auto const theirs = ::open(path.data(), O_RDWR | O_CLOEXEC);
    if (theirs < 0) {
        return nullptr;
    }
    auto* const place = map(theirs, MAP_SHARED, bytes);
    ::close(theirs);
    return place;
}

}  // namespace

NodeMemory::NodeMemory(Communicator node, std::uint64_t bytes) : node_(std::move(node)), bytes_(bytes) {
    if (node_.max(std::uint64_t{make_parts() ? 0U : 1U}) != 0) {
        return;
    }
    if (node_.size() == 1) {
        parts_[0] = {0, -1, bytes, bytes == 0 ? nullptr : map_alone(bytes)};
        shared_ = bytes == 0 || parts_[0].place != nullptr;
        return;
    }
    auto const descriptor = reserve(bytes);
    node_.all_gather(MemoryOfRank{static_cast<std::uint64_t>(::getpid()), descriptor, bytes, nullptr},
                     std::span(parts_));
    bool const seen = descriptor >= 0 && see(parts_);
    // Also the point at which all ranks have opened each other's memory.
    shared_ = node_.max(std::uint64_t{seen ? 0U : 1U}) == 0;
    if (descriptor >= 0) {
        ::close(descriptor);
    }
}

bool NodeMemory::make_parts() {
    try {
        parts_.resize(node_.size());
        return true;
    } catch (std::bad_alloc const&) {
        return false;
    }
}

bool NodeMemory::see(std::span<MemoryOfRank> parts) {
    for (auto& part : parts) {
        if (part.bytes > 0) {
            part.place = map_of(part.process, part.descriptor, part.bytes);
            if (part.place == nullptr) {
                return false;
            }
        }
    }
    return true;
}

NodeMemory::~NodeMemory() {
    for (auto const& part : parts_) {
        if (part.place != nullptr) {
            ::munmap(part.place, part.bytes);
        }
    }
}

std::byte* NodeMemory::of(std::uint64_t rank) const { return parts_[rank].place; }

}  // namespace weir
