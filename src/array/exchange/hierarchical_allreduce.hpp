#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "array/exchange/node_memory.hpp"
#include "comm/communicator.hpp"

namespace weir::array {

/// The reduction by which the ranks of a plan agree after each step of planning and of a dump: in shared memory within
/// a node, by MPI among one rank of each node. Waiting ranks yield and sleep: with more ranks than cores, an MPI
/// reduction that spins would cost a time slice or more.
class HierarchicalAllreduce {
  public:
    using Values = std::array<std::uint64_t, 3>;

    /// `node`: the ranks of `all` that share memory; if it has one rank, none do. Collective over `all`; an error is
    /// pending in `all`, and then this must not be used.
    HierarchicalAllreduce(Communicator all, Communicator node);
    ~HierarchicalAllreduce();
    HierarchicalAllreduce(HierarchicalAllreduce const&) = delete;
    HierarchicalAllreduce& operator=(HierarchicalAllreduce const&) = delete;

    /// The elementwise maximum over all ranks, on every rank. Collective. No message of this rank may be in flight.
    Values max(Values const& mine);

  private:
    struct SharedState;

    Communicator all_, node_, leaders_;
    std::optional<NodeMemory> memory_;
    SharedState* state_ = nullptr;  ///< null: MPI is used
    std::uint32_t reductions_ = 0;
};

}  // namespace weir::array
