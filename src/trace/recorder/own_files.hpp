#pragma once

#include <stdint.h>

#include "trace/recorder/system.hpp"

namespace weir::trace {

// How the recorder opens the trace's own files. No descriptor stays open: the program gets the same descriptors as
// without the recorder, and may close all of them.

/// Calls `function(argument)`, which opens a file for a moment. Where the program may soon use all its descriptors, it
/// runs with a descriptor table of its own, so that the program lacks none meanwhile. errno is as the function leaves
/// it.
void run_with_free_descriptor(void (*function)(void* argument), void* argument);

template <class Function>
void with_free_descriptor(Function function) {
    run_with_free_descriptor([](void* self) { (*static_cast<Function*>(self))(); }, &function);
}

/// Opens one of the trace's files for as long as `function` works with its descriptor. Where it cannot be opened,
/// `function` is not called. errno is that of the open or as `function` leaves it.
template <class Function>
void with_own_file(char const* path, int flags, Function function) {
    with_free_descriptor([&] {
        auto const descriptor = system::open(path, flags);
        if (descriptor >= 0) {
            function(descriptor);
            system::KeepErrno const keep;
            system::close(descriptor);
        }
    });
}

/// An append-only file of the trace whose last part is mapped.
struct GrowingFile {
    char* window = nullptr;    ///< the mapped part
    int64_t window_from = 0;   ///< its offset in the file, a whole number of pages
    int64_t window_bytes = 0;  ///< whole pages
    int64_t reserved = 0;      ///< bytes that are allocated on disk: a store into them cannot fail

    /// Maps the file again, from the page of `position` on and at least `bytes` behind it. Returns the address of
    /// `position`; null, with errno, where the system refuses: nothing has changed then.
    char* move(char const* path, int64_t position, int64_t bytes);

    /// Unmaps the window and truncates the file to `end`.
    void cut(char const* path, int64_t end);
};

}  // namespace weir::trace
