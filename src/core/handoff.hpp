#pragma once

#include <optional>
#include <string>

#include "core/topology.hpp"

namespace weir {

/// The time that a cache line takes from one core to another, or why it could not be measured.
struct HandOff {
    std::optional<double> one_way_ns;
    std::string why;  ///< empty if there is a time
};

/// Has two threads, bound to these CPUs, pass a cache line back and forth: the median over batches of round trips,
/// halved, since single batches are many times as long if a thread loses its core. Takes 1 to 6 ms, and at most 20 ms
/// once the threads run, also if one of them never does. The binding of the calling thread stays. Local.
HandOff measure_hand_off(CpuPair);

}  // namespace weir
