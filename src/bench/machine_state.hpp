#pragma once

#include <functional>
#include <optional>
#include <string>

#include "comm/communicator.hpp"
#include "core/handoff.hpp"
#include "core/json_fwd.hpp"

namespace weir {

/// Tells in which state the nodes are. A virtual machine's host may move its cores between caches, and then the same
/// program changes its speed; the time that a cache line takes between two cores reveals that.
class MachineState {
  public:
    using Measure = std::function<HandOff(CpuPair)>;

    /// Chooses two cores on each node: of two of its ranks if they have any, else such that its ranks could be bound
    /// to. Collective.
    explicit MachineState(Communicator const&, Measure = measure_hand_off);

    /// Measures on all nodes at once, while all other ranks sleep: the `state` line of docs/reference/protocol.md.
    /// Collective.
    [[nodiscard]] Json line() const;

  private:
    Communicator comm_;
    Measure measure_;
    std::optional<CpuPair> cpus_;  ///< nothing on all but the first rank of a node
    std::string why_;              ///< there are no two cores; empty on those other ranks too
};

}  // namespace weir
