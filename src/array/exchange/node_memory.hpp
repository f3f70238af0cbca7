#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "comm/first_failure.hpp"

namespace weir::array {

/// A number that only grows, in memory that processes of a node share. Waiting ranks sleep, so that with more ranks
/// than cores those that have work get the core at once. Comparisons hold across the number's overflow.
class Counter {
  public:
    void add(std::uint32_t n) noexcept;

    [[nodiscard]] bool reached(std::uint32_t target) const noexcept {
        return static_cast<std::int32_t>(value_.load(std::memory_order_acquire) - target) >= 0;
    }

    /// Sleeps until the number has reached `target`, but for a millisecond or so at most; true if it has.
    bool wait_a_while(std::uint32_t target) noexcept;

    /// Waits until the number has reached `target`, and calls `progress` now and then: others may need this rank for
    /// their messages. It `sleeps` between, or does not.
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

/// The shared-memory control block of an aggregator: what it and the ranks of its node tell each other of its slots.
struct ControlBlock {
    alignas(64) Counter served;  ///< windows that it has written to the file, or read from it
    struct alignas(64) Slot {
        Counter done;  ///< ranks that have put their bytes into the slot, or taken them
    };
    Slot slot[max_slots];
};

/// Memory of every rank of a node that all of them see, filled with zeros, on whole pages. Construction is collective
/// over the node's ranks and does not fail: where there is not so much memory, or ranks may not see each other's, it
/// says so.
class NodeMemory {
  public:
    NodeMemory(Communicator node, std::uint64_t bytes);
    ~NodeMemory();
    NodeMemory(NodeMemory const&) = delete;
    NodeMemory& operator=(NodeMemory const&) = delete;

    /// Do all ranks see all of it? The same on all of them; if not, none may be used.
    [[nodiscard]] bool shared() const { return shared_; }

    /// Where a rank's part begins, for this process; null where it has none.
    [[nodiscard]] std::byte* of(std::uint64_t rank) const;

    [[nodiscard]] Communicator const& node() const { return node_; }

    /// Of this rank.
    [[nodiscard]] std::uint64_t bytes() const { return bytes_; }

    /// Resets this rank's control block, if it has one. No rank may be using it. Local.
    void clear_control_block();

  private:
    struct Part {
        std::uint64_t process;
        int descriptor;
        std::uint64_t bytes;
        std::byte* place;
    };
    [[nodiscard]] bool make_parts();
    [[nodiscard]] bool see(std::span<Part> parts);

    Communicator node_;
    std::uint64_t bytes_;
    std::vector<Part> parts_;
    bool shared_ = false;
};

/// The ranks of this one's node, or of a simulated one of `node_size` ranks (0: of real nodes). Collective.
Communicator ranks_of_node(Communicator const& group, std::uint64_t node_size);

/// Memory of the ranks of a node; of this one alone where they cannot share it. Collective. Where there is none even
/// for the bookkeeping, some rank of the node has a failure, and the memory is null on all of them.
std::shared_ptr<NodeMemory> make_node_memory(Communicator const& node, std::uint64_t bytes, FirstFailure&);

}  // namespace weir::array
