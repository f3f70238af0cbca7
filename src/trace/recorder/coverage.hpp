#pragma once

#include <stdint.h>

namespace weir::trace {

// The coverage of the process's I/O: bytes read and written through the wrappers, of recorded and all other files,
// compared with the kernel's own count (/proc/self/io). If the kernel counts more, calls have bypassed the recorder.

struct Thread;

struct ByteCounts {
    int64_t read = 0;
    int64_t written = 0;
};

/// Counts bytes of unrecorded files. `direction`: Call::direction().
void count_unrecorded_bytes(uint8_t direction, int64_t bytes);

/// The stream of this thread counts them from here on.
void take_over_unrecorded_bytes(Thread&);

/// Keeps the counts of a thread that ends.
void retire_byte_counts(Thread&);

/// Bytes moved by this process so far, by the recorder itself, and by children without files of their own.
ByteCounts bytes_seen();

/// The kernel's count since the process began, including this query and children that it has waited for. False if
/// unavailable.
bool ask_kernel_byte_counts(ByteCounts&);

/// The same of a process with this number in /proc, which may have ended and not been waited for.
bool ask_kernel_byte_counts_of(uint32_t number_in_proc, ByteCounts&);

/// Creates the shared memory in which children without files of their own report their bytes when they end, unless it
/// exists: most programs start no children.
void share_byte_counts();
void begin_byte_counts_of_child();
void report_bytes_to_parent();

}  // namespace weir::trace
