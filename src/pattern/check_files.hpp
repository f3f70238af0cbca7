#pragma once

#include "pattern/pattern.hpp"

namespace weir {

/// Refuses (Error, usage) files and arrays whose names are no names or are not their own, and arrays that overlap.
void check_files(Pattern const&);

/// Goes through the phases of a pattern, of which each step is right by itself, and refuses steps on files that their
/// ranks do not have open in that phase, files that are opened twice, and those that are left open (Error, usage).
/// Takes time by the number of steps and files, not of turns: a repeat that stays on its files is gone through twice.
void check_open_files(Pattern const&);

}  // namespace weir
