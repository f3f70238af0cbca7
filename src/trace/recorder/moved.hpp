#pragma once

#include <stdint.h>

namespace weir::trace {

// Bytes that reads and writes have moved, as the wrappers see them, of files that are recorded and of all else; beside
// them the kernel's own count (/proc/self/io). Where that is greater, calls have passed the recorder.

struct MovedBytes {
    int64_t read = 0;
    int64_t written = 0;
};

/// By what is not recorded: `way` as Call::way().
void move_unrecorded(uint8_t way, int64_t bytes);

/// What a thread that ends has moved by what was recorded.
struct Thread;
void keep_moved_of(Thread&);

/// By this process so far, by the recorder itself, and by its children that have no files of their own.
MovedBytes moved_so_far();

/// The kernel's count: of this process since it is there, and of its children that it has waited for. False where it
/// is not known.
bool ask_kernel(MovedBytes&);

/// Children have a place where they tell what they have moved when they end without files of their own.
void begin_moved();
void begin_moved_of_child();
void tell_parent_moved();

}  // namespace weir::trace
