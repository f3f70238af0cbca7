#pragma once

#include "core/json.hpp"

namespace weir {

/// Packages, cores, threads, NUMA nodes, caches and memory of this machine, as hwloc sees them.
Json describe_topology();

}  // namespace weir
