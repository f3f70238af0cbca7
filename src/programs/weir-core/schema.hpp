#pragma once

#include "core/json.hpp"

namespace weir {

/// The capabilities of this weir-core: benchmarks with all their options, back-ends, build settings.
Json schema();

/// This machine's topology (hwloc), first-touch times and MPI: the `machine` line.
Json describe_machine();

}  // namespace weir
