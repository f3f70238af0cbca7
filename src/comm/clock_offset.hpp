#pragma once

#include <span>

#include "comm/communicator.hpp"
#include "core/clock.hpp"

namespace weir {

/// One exchange between two clocks: ours before and after, and the other's reading in between.
struct ClockReading {
    double asked_s = 0;
    double other_s = 0;
    double answered_s = 0;
};

/// The offset to add to our clock to get the other's, from the exchange with the shortest round trip. Cristian:
/// Probabilistic clock synchronization, Distributed Computing 3 (1989).
double offset_to_other(std::span<ClockReading const> readings);

/// Each rank's clock offset to rank 0, so that times of different nodes can be compared. Ranks of one node share a
/// clock; between nodes their first ranks exchange messages. Collective.
double offset_to_root(Communicator const&, Clock const&);

/// The same for two ranks, also of the same node: rank 1's offset to rank 0 (0 on all other ranks).
double exchange_offset(Communicator const&, Clock const&, std::uint64_t other);

}  // namespace weir
