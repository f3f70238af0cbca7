#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "array/exchange/shared_counter.hpp"
#include "comm/collective_error_c.hpp"

namespace weir::array {

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
