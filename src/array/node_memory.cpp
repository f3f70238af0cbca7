#include "array/node_memory.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <utility>

namespace weir::array {
namespace {

/// Memory behind a descriptor: really there, so that touching it later cannot fail. A file in /dev/shm could be larger
/// than the file system, and kill the program when it is touched.
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

/// What another process of this node has reserved; null where it may not be seen.
std::byte* map_of(std::uint64_t process, int descriptor, std::uint64_t bytes) {
    auto const path = fmt::format("/proc/{}/fd/{}", process, descriptor);
    auto const theirs = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
    if (theirs < 0) {
        return nullptr;
    }
    auto* const place = map(theirs, MAP_SHARED, bytes);
    ::close(theirs);
    return place;
}

}  // namespace

NodeMemory::NodeMemory(Communicator node, std::uint64_t bytes) : node_(std::move(node)) {
    if (node_.size() == 1) {
        parts_.push_back({0, -1, bytes, bytes == 0 ? nullptr : map_alone(bytes)});
        shared_ = bytes == 0 || parts_[0].place != nullptr;
        return;
    }
    auto const descriptor = reserve(bytes);
    parts_ = node_.all_gather(Part{static_cast<std::uint64_t>(::getpid()), descriptor, bytes, nullptr});
    bool seen = descriptor >= 0;
    for (auto& part : parts_) {
        if (part.bytes > 0 && seen) {
            part.place = map_of(part.process, part.descriptor, part.bytes);
            seen = part.place != nullptr;
        }
    }
    // Also the moment when all have opened what the others hold.
    shared_ = node_.max(std::uint64_t{seen ? 0U : 1U}) == 0;
    if (descriptor >= 0) {
        ::close(descriptor);
    }
}

NodeMemory::~NodeMemory() {
    for (auto const& part : parts_) {
        if (part.place != nullptr) {
            ::munmap(part.place, part.bytes);
        }
    }
}

std::byte* NodeMemory::of(std::uint64_t rank) const { return parts_[rank].place; }

void NodeMemory::clear_desk() {
    if (bytes() >= sizeof(Desk)) {
        std::memset(of(node_.rank()), 0, sizeof(Desk));
    }
}

Communicator ranks_of_node(Communicator const& team, std::uint64_t node_size) {
    auto const node = team.node();
    return node_size == 0 ? node : node.split(node.rank() / node_size);
}

std::shared_ptr<NodeMemory> make_node_memory(Communicator const& node, std::uint64_t bytes) {
    auto memory = std::make_shared<NodeMemory>(node, bytes);
    return memory->shared() ? memory : std::make_shared<NodeMemory>(Communicator(), bytes);
}

}  // namespace weir::array
