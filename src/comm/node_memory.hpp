#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "comm/communicator.hpp"

namespace weir {

/// Zeroed memory of every rank of a node, mapped by all of them, in complete pages. Construction is collective over the
/// node's ranks and does not fail: if memory is short, or ranks may not access each other's, shared() is false.
class NodeMemory {
  public:
    NodeMemory(Communicator node, std::uint64_t bytes);
    ~NodeMemory();
    NodeMemory(NodeMemory const&) = delete;
    NodeMemory& operator=(NodeMemory const&) = delete;

    /// Do all ranks see all of it? The same on all ranks; if false, none of it may be used.
    [[nodiscard]] bool shared() const { return shared_; }

    /// Address of a rank's part in this process; null if it has none.
    [[nodiscard]] std::byte* of(std::uint64_t rank) const;

    [[nodiscard]] Communicator const& node() const { return node_; }

    /// Of this rank.
    [[nodiscard]] std::uint64_t bytes() const { return bytes_; }

  private:
    struct MemoryOfRank {
        std::uint64_t process;
        int descriptor;
        std::uint64_t bytes;
        std::byte* place;
    };
    [[nodiscard]] bool make_parts();
    [[nodiscard]] bool see(std::span<MemoryOfRank> parts);

    Communicator node_;
    std::uint64_t bytes_;
    std::vector<MemoryOfRank> parts_;
    bool shared_ = false;
};

}  // namespace weir
