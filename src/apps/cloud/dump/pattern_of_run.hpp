#pragma once

#include <string>

#include "apps/cloud/dump/layout.hpp"
#include "apps/cloud/dump/method.hpp"
#include "pattern/pattern.hpp"

namespace weir::cloud {

/// The I/O of a run, apart from what it computes.
struct RunShape {
    Triple cells{};
    Triple ranks{};        ///< along x, y, z
    Index first_step = 0;  ///< of the restart
    Index steps = 0;
    Index dump_every = 0;    ///< see dumps_after()
    bool restarted = false;  ///< a restart is read first
    Method method = Method::two_phase;
};

/// How many dumps the run makes. Local.
Index dumps_of(RunShape const&);

/// Every request that Dumps makes, in closed form: the requests of all ranks, the same offsets and lengths in the same
/// order. Seeks are offsets; messages are not part of a pattern; the rename of the restart file is left out (it is
/// written under its own name). Local. Error (usage) as Dumps.
Pattern pattern_of(RunShape const&);

}  // namespace weir::cloud
