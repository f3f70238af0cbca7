#pragma once

#include <stdint.h>

namespace weir::trace {

// How much of the process's I/O the recorder sees: bytes that reads and writes have moved as the wrappers see them, of
// files that are recorded and of all others, beside the kernel's own count (/proc/self/io). Where the kernel counts
// more, calls have bypassed the recorder.

struct Thread;

struct ByteCounts {
    int64_t read = 0;
    int64_t written = 0;
};

/// Counts bytes of what is not recorded. `direction`: Call::direction().
void count_unrecorded_bytes(uint8_t direction, int64_t bytes);

/// Keeps the counts of a thread that ends.
void retire_byte_counts(Thread&);

/// Bytes moved by this process so far, by the recorder itself, and by children that have no files of their own.
ByteCounts bytes_seen();

/// The kernel's count since the process began, with children that it has waited for. False where it is not known.
bool ask_kernel_byte_counts(ByteCounts&);

/// Makes the shared memory in which children that end without files of their own report what they have moved.
void begin_byte_counts();
void begin_byte_counts_of_child();
void report_bytes_to_parent();

}  // namespace weir::trace
