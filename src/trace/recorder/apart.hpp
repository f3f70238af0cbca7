#pragma once

namespace weir::trace {

using Work = void (*)(void* self);

/// Does what opens one of the trace's files for a moment so that the program lacks no descriptor meanwhile: where it
/// may soon use all that it may have, in a table of descriptors of its own. errno is as the work leaves it.
void run_apart(Work work, void* self);

template <class Function>
void apart(Function function) {
    run_apart([](void* self) { (*static_cast<Function*>(self))(); }, &function);
}

}  // namespace weir::trace
