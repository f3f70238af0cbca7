#pragma once

namespace weir::trace {

/// The process has set up a ring of requests, past which the recorder sees nothing: said once a process and kind.
void tell_ring(char const* kind);

/// An object behind a descriptor, as the system names it ("anon_inode:[io_uring]"): is it a ring?
void look_for_ring(char const* name);

}  // namespace weir::trace
