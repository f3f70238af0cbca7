#pragma once

#include <stdint.h>

#include "trace/recorder/calls.hpp"

namespace weir::trace {

// Calls that are counted instead of recorded. Mostly that is where no more records fit the bound. A process that can
// open no file of the trace any more (chroot, another user) or may make no system call (seccomp) counts in a mapped
// file, which its children share.

/// Counts a call whose record did not fit.
void count_lost(Call const&, int64_t result, uint64_t ticks);

/// Writes what did not fit since the last report to the facts, by call.
void report_lost();
void forget_lost();

/// Creates and maps the file of counts, unless it exists. `why`: what the process does.
void begin_counts(char const* why);

/// It is not needed after all.
void forget_counts();
bool has_counts();

/// The process ends by itself.
void end_counts();

}  // namespace weir::trace
