#pragma once

#include <stdint.h>

#include "trace/recorder/system.hpp"

namespace weir::trace {

// Opens the trace's own files. No descriptor stays open: the program gets the same descriptor numbers as without the
// recorder, and may close all of them.

/// Calls `function(argument)`, which opens a file briefly. If the program could soon use all its descriptors, the
/// function runs with a separate descriptor table, so that the program lacks none meanwhile: in a child, which must not
/// ask for its own number or its children. Within such a function, this is a plain call. errno is the function's.
void run_with_free_descriptor(void (*function)(void* argument), void* argument);

template <class Function>
void with_free_descriptor(Function function) {
    run_with_free_descriptor([](void* self) { (*static_cast<Function*>(self))(); }, &function);
}

/// Opens one of the trace's files while `function` works with its descriptor. If the open fails, `function` is not
/// called. errno is that of the open or of `function`.
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
    int64_t window_from = 0;   ///< its offset in the file, page-aligned
    int64_t window_bytes = 0;  ///< a multiple of the page size
    int64_t reserved = 0;      ///< bytes allocated on disk: stores to them cannot fail

    /// Maps the file again, from the page of `position` on and at least `bytes` beyond it. Returns the address of
    /// `position`; null, with errno and nothing changed, if the system refuses.
    char* move(char const* path, int64_t position, int64_t bytes, system::PageTable = system::PageTable::when_touched);

    /// Unmaps the window and truncates the file to `end`.
    void cut(char const* path, int64_t end);
};

}  // namespace weir::trace
