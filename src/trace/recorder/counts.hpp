#pragma once

#include <stdint.h>

#include "trace/recorder/calls.hpp"

namespace weir::trace {

// Calls that are counted instead of recorded, mostly beyond the limit of records. A process that can no longer open
// files of the trace (chroot, another user) or make system calls (seccomp) counts in a mapped file, which its children
// share.

/// Counts a call whose record did not fit.
void count_lost(Call const&, int64_t result, uint64_t ticks);

/// Writes the calls not recorded since the last report to the facts, by call.
void report_lost();
void forget_lost();

/// Creates and maps the file of counts, unless it exists. `why`: the action of the process.
void begin_counts(char const* why);

/// Removes it: it is not needed.
void forget_counts();
bool has_counts();

/// The process exits.
void end_counts();

}  // namespace weir::trace
