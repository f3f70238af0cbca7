#pragma once

#include "core/json_fwd.hpp"
#include "storage/backend.hpp"

namespace weir {

/// A hint that no library can know, given beside those that were asked for: one that repeats it repeats everything, and
/// so does not tell what is in force. (Open MPI's ompio does.)
Hints with_canary(Hints asked);

/// Takes the canary out of what a library said; was it there?
bool take_canary(Hints& in_force);

/// What became of each hint asked for, as `sample` lines have it: its value in force and a state, "in force",
/// "changed", "ignored" (the library does not mention it), or "unproven" (it would repeat anything). Null if none was
/// asked for.
Json describe_hints_asked(Hints const& asked, Hints const& in_force, bool repeats_anything);

}  // namespace weir
