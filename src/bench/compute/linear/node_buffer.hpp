#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "comm/communicator.hpp"
#include "comm/node_memory.hpp"
#include "core/memory.hpp"

namespace weir {

/// Memory of each rank, touched, which the other ranks of its node read in place where they can: then no messages are
/// needed between them. They can if it is of usual pages.
class NodeBuffer {
  public:
    /// So many bytes of this rank. Collective, and throws on all ranks together.
    NodeBuffer(Communicator const&, std::uint64_t bytes, Pages);

    /// A rank's, as this one sees it; null if it does not. Which ranks see each other is the same for both.
    [[nodiscard]] std::byte* of(std::uint64_t rank) const { return of_rank_[rank]; }

    /// Waits for those that this rank sees: for what they have written.
    void wait() const;

  private:
    void touch(std::uint64_t bytes);

    Communicator node_;
    std::unique_ptr<NodeMemory> shared_;
    std::unique_ptr<Buffer> own_;
    std::vector<std::byte*> of_rank_;
};

}  // namespace weir
