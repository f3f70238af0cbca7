#pragma once

namespace weir::trace {

/// The function of this name that the program would call without the recorder: the first one behind the recorder in the
/// order of the program's objects, as dlsym(RTLD_NEXT) finds it. Null if there is none.
///
/// Takes no lock and no memory: a function may be looked up when it is first called, though that is in a signal
/// handler, or in the child of a fork, when the dynamic linker's locks may be held for ever. So the start of a program
/// does not pay for the two hundred functions that it does not call.
void* next_function(char const* name);

}  // namespace weir::trace
