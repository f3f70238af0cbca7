#pragma once

#include <sys/types.h>
#include <sys/wait.h>

namespace weir::trace {

// Children, as far as the kernel's byte counts depend on them: it adds those of a child to its parent's when that waits
// for it.

/// Waits like the call with these arguments would, without reaping the child, and reports one that a signal killed: it
/// could not report its bytes. False if a signal handler interrupted it, with errno.
bool look_at_ending_child(idtype_t kind, id_t which, int options);

/// Reports the children that this process, which ends, has not waited for, and tells their number; -1: unknown.
int64_t children_left();

}  // namespace weir::trace
