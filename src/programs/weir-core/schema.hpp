#pragma once

#include "core/json.hpp"

namespace weir {

/// What this weir-core can do: benchmarks with all their options, back-ends, how it was built.
Json schema();

/// This machine's topology (hwloc), first-touch times and MPI: the `machine` line.
Json describe_machine();

}  // namespace weir
