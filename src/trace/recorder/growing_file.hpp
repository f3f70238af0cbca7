#pragma once

#include <stdint.h>

namespace weir::trace {

/// A file of the trace that only grows, whose last part lies in memory. No descriptor stays open: the program's numbers
/// are those that it has without the recorder, and it may close all of them.
struct GrowingFile {
    char* window = nullptr;    ///< the part that lies in memory
    int64_t window_from = 0;   ///< its place in the file, a whole number of pages
    int64_t window_bytes = 0;  ///< whole pages
    int64_t reserved = 0;      ///< bytes of the file that really exist: what is stored in them cannot fail

    /// Moves the window on, so that it begins with the page of `position` and has at least `bytes` behind it. The place
    /// of `position` in memory; null, with errno, where the system refuses: all is as before then.
    char* move(char const* path, int64_t position, int64_t bytes);

    /// Lets go of the window and cuts off the file behind its last byte.
    void cut(char const* path, int64_t end);

    char* map(char const* path, int64_t from, int64_t length);
};

}  // namespace weir::trace
