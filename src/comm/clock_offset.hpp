#pragma once

#include <span>

#include "comm/communicator.hpp"
#include "core/clock.hpp"

namespace weir {

/// One question and answer between two clocks: asked and answered by ours, and what the other's showed in between.
struct ClockReading {
    double asked_s = 0;
    double other_s = 0;
    double answered_s = 0;
};

/// What to add to our clock to get the other's, from the reading with the shortest way there and back.
/// Cristian: Probabilistic clock synchronization, Distributed Computing 3 (1989).
double offset_to_other(std::span<ClockReading const> readings);

/// What each rank adds to its clock to get rank 0's, so that times of different nodes can be compared. Ranks of one
/// node share a clock; between nodes their first ranks exchange messages. Collective.
double offset_to_root(Communicator const&, Clock const&);

/// The same for two ranks that need not be on different nodes: rank 1's offset to rank 0 (0 on rank 0 and all others).
double exchange_offset(Communicator const&, Clock const&, std::uint64_t other);

}  // namespace weir
