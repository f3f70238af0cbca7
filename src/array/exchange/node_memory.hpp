#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "comm/collective_error_c.hpp"
#include "comm/node_memory.hpp"

namespace weir::array {

/// A monotonic counter in memory shared by the processes of a node. Waiting ranks yield, and after a while sleep, so
/// that with more ranks than cores those that have work get the core. Comparisons hold across overflow.
class Counter {
  public:
    void add(std::uint32_t n) noexcept;

    [[nodiscard]] bool reached(std::uint32_t target) const noexcept {
        return static_cast<std::int32_t>(value_.load(std::memory_order_acquire) - target) >= 0;
    }

    /// Yields and then sleeps until the counter has reached `target`, at most about a millisecond; true if it has.
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

constexpr std::uint64_t max_slots = 8;

/// The shared-memory control block of an aggregator, through which it and the ranks of its node hand over slots.
struct ControlBlock {
    alignas(64) Counter served;  ///< windows written to the file, or read from it
    struct alignas(64) Slot {
        Counter done;  ///< ranks that have copied their bytes into the slot, or out of it
    };
    Slot slot[max_slots];
};

/// Zeroes this rank's control block, if its memory has one. No rank may be using it. Local.
void clear_control_block(NodeMemory const&);

/// The ranks of this rank's node, or of a simulated one of `node_size` ranks (0: real nodes). Collective.
Communicator ranks_of_node(Communicator const& group, std::uint64_t node_size);

/// Memory shared by the ranks of a node; if they cannot share it, of this rank alone. Collective. If some rank cannot
/// allocate even the bookkeeping, it has a failure, and the memory is null on all ranks of the node.
std::shared_ptr<NodeMemory> make_node_memory(Communicator const& node, std::uint64_t bytes, FirstFailure&);

}  // namespace weir::array
