#pragma once

#include "core/error.hpp"
#include "storage/engine/engine.hpp"

namespace weir {

/// The failure of a phase that read back other words than were written: which one first, what was expected and found,
/// and where the found word belongs, if it is one of this run's. Offsets are the file's, or those in a dataset, by what
/// the back-end makes.
Diagnosis diagnose(WrongWords const&, Pattern const&, Engine const&, Features const&);

}  // namespace weir
