#pragma once

#include "pattern/pattern.hpp"

namespace weir {

/// Refuses (Error, usage) invalid or duplicate names of files and arrays, and arrays that overlap.
void check_files(Pattern const&);

/// Checks opens and closes over the phases of a pattern whose single steps are valid: refuses steps on files that their
/// ranks do not have open in that phase, files opened twice, and files left open (Error, usage). Time grows with the
/// number of steps and files, not of iterations: a repeat that stays on its files is walked twice.
void check_open_files(Pattern const&);

}  // namespace weir
