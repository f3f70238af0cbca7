#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>

#include "array/node_memory.hpp"
#include "comm/communicator.hpp"

namespace weir::array {

/// Where the ranks of a plan meet after each step of a dump. Those of a node meet in memory that they share, and sleep
/// until the last one comes, but wake now and then for the program's own messages, which a rank that is still to come
/// may wait for; one rank of each node meets the other nodes. With more ranks than cores, a reduction of
/// MPI's would cost a time slice or more.
class Assembly {
  public:
    using Values = std::array<std::uint64_t, 3>;

    /// `node`: the ranks of `all` that share memory; a process alone: nobody does. Collective over `all`; what fails is
    /// trouble of `all`, and then this must not be used.
    Assembly(Communicator all, Communicator node);
    ~Assembly();
    Assembly(Assembly const&) = delete;
    Assembly& operator=(Assembly const&) = delete;

    /// The greatest of all ranks' values, each by itself, on every rank. Collective. No message of this rank may be on
    /// its way.
    Values greatest(Values const& mine);

    [[nodiscard]] Communicator const& comm() const { return all_; }

  private:
    struct Board;

    void wait(class Counter&, std::uint32_t target);

    Communicator all_, node_, leaders_;
    std::optional<NodeMemory> memory_;
    Board* board_ = nullptr;  ///< null: MPI is used
    std::uint32_t meetings_ = 0;
};

}  // namespace weir::array
