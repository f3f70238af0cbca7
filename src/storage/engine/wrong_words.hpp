#pragma once

#include "core/error.hpp"
#include "storage/engine/engine.hpp"

namespace weir {

/// The failure of a phase that read back wrong words: the first of them, what was expected and found, and where the
/// found word belongs, if this run wrote it. Offsets are the file's, or a dataset's, depending on the back-end.
Diagnosis diagnose(WrongWords const&, Pattern const&, Engine const&, Features const&);

}  // namespace weir
