#pragma once

#include <stdint.h>

#include "trace/recorder/calls.hpp"

namespace weir::trace {

// What a process counts when it can open no file of the trace any more (chroot, another user) or may make no system
// call (seccomp): in memory that is mapped from a file of the trace, and that its children share.

/// Makes and maps the file, while that can be done; nothing where it is there. `why`: what the process does.
void begin_counts(char const* why);

/// It is not needed after all.
void forget_counts();

/// Is there one?
bool has_counts();

void count_in_file(Call const&, uint64_t bytes, uint64_t ticks);

/// The process ends by itself.
void end_counts();

}  // namespace weir::trace
