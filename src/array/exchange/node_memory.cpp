#include "array/exchange/node_memory.hpp"

#include <sched.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <ctime>
#include <optional>
#include <utility>

#ifdef __linux__
#include <linux/futex.h>
#include <sys/syscall.h>

#include <climits>
#endif

namespace weir::array {
namespace {

/// A rank that sleeps is woken by a system call, and often its core too, which takes longer than a small dump's step.
/// One that yields lets the others of its core run, and looks again when they wait or sleep. After as long as waking
/// takes, sleeping costs no more: then the core is for others.
constexpr int looks_before_yield = 200;
constexpr std::chrono::microseconds yields_before_sleep{100};

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
    for (int look = 0; look < looks_before_yield; ++look) {
        if (reached(target)) {
            return true;
        }
    }
    for (auto const began = std::chrono::steady_clock::now();
         std::chrono::steady_clock::now() - began < yields_before_sleep;) {
        sched_yield();
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

void clear_control_block(NodeMemory const& memory) {
    if (memory.bytes() >= sizeof(ControlBlock)) {
        std::memset(memory.of(memory.node().rank()), 0, sizeof(ControlBlock));
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
