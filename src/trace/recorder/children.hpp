#pragma once

#include <sys/types.h>
#include <sys/wait.h>

namespace weir::trace {

// Children, as far as the kernel's byte counts depend on them: it adds those of a child to its parent's when that waits
// for it.

/// Waits like the call with these arguments would, without reaping the child, and tells its number; 0: none has ended
/// yet; -1: it failed, with errno. Reports one that a signal killed, which could not report its bytes, and each of a
/// process that adopts orphans: whoever was their parent may have been killed, and does not say that it left them.
pid_t look_at_ending_child(idtype_t kind, id_t which, int options);

/// A child may be waited for that is not looked at: in a signal handler that has interrupted the recorder.
void look_at_no_child();

/// Reports the children that this process, which ends, has not waited for, and tells their number; -1: unknown.
int64_t children_left();

}  // namespace weir::trace
