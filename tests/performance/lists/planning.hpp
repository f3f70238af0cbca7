#pragma once

#include "lists/decomposition.hpp"

namespace weir::performance {

/// Measures and prints what describing and planning arrays of one list takes: time beside one plain exchange of lists
/// and data, memory a piece. Collective.
void measure_planning(Communicator const&, Decomposition const&, int arrays, int repetitions);

}  // namespace weir::performance
