#include "array/exchange/node_memory.hpp"

#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <new>
#include <optional>
#include <utility>

#ifdef __linux__
#include <linux/futex.h>
#include <sys/syscall.h>

#include <climits>
#endif

namespace weir::array {
namespace {

constexpr int looks_before_sleep = 200;

#ifdef __linux__
void sleep_while(std::atomic<std::uint32_t>* word, std::uint32_t value, timespec const* at_most) {
    syscall(SYS_futex, reinterpret_cast<std::uint32_t*>(word), FUTEX_WAIT, value, at_most, nullptr, 0);
}
void wake_all(std::atomic<std::uint32_t>* word) {
    syscall(SYS_futex, reinterpret_cast<std::uint32_t*>(word), FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}
#else
void sleep_while(std::atomic<std::uint32_t>*, std::uint32_t, timespec const*) { sched_yield(); }
void wake_all(std::atomic<std::uint32_t>*) {}
#endif

}  // namespace

void Counter::add(std::uint32_t n) noexcept {
    value_.fetch_add(n, std::memory_order_seq_cst);
    if (sleepers_.load(std::memory_order_seq_cst) != 0) {
        wake_all(&value_);
    }
}

bool Counter::wait_a_while(std::uint32_t target) noexcept {
    for (int look = 0; look < looks_before_sleep; ++look) {
        if (reached(target)) {
            return true;
        }
    }
    sleepers_.fetch_add(1, std::memory_order_seq_cst);
    auto const seen = value_.load();
    if (static_cast<std::int32_t>(seen - target) < 0) {
        timespec const millisecond{0, 1'000'000};
        sleep_while(&value_, seen, &millisecond);
    }
    sleepers_.fetch_sub(1, std::memory_order_seq_cst);
    return reached(target);
}

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
    node_.all_gather(Part{static_cast<std::uint64_t>(::getpid()), descriptor, bytes, nullptr}, std::span(parts_));
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

bool NodeMemory::see(std::span<Part> parts) {
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

void NodeMemory::clear_control_block() {
    if (bytes() >= sizeof(ControlBlock)) {
        std::memset(of(node_.rank()), 0, sizeof(ControlBlock));
    }
}

Communicator ranks_of_node(Communicator const& group, std::uint64_t node_size) {
    auto const node = group.node();
    return node_size == 0 ? node : node.split(node.rank() / node_size);
}

std::shared_ptr<NodeMemory> make_node_memory(Communicator const& node, std::uint64_t bytes, FirstFailure& failure) {
    std::shared_ptr<std::optional<NodeMemory>> memory;
    failure.attempt([&] { memory = std::make_shared<std::optional<NodeMemory>>(); });
    if (node.max(std::uint64_t{memory ? 0U : 1U}) != 0) {
        return nullptr;
    }
    memory->emplace(node, bytes);
    if (!(*memory)->shared()) {
        memory->emplace(Communicator(), bytes);
    }
    return {memory, &**memory};
}

}  // namespace weir::array
