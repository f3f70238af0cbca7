#pragma once

// The trace format, version 1: written by the recorder, memory-mapped by readers. See docs/reference/trace.md.
//
// A trace is a folder. Each process has a file of facts (`*.process`, JSON Lines), a table of names (`*.names`) and,
// for each of its threads, a stream of records (`*.records`). All are append-only and valid at every instant: after a
// program was killed, they contain everything that had finished.

#include <stdint.h>

namespace weir::trace {

constexpr char magic[8] = {'W', 'E', 'I', 'R', 'T', 'R', 'C', '1'};
constexpr uint32_t head_page = 4096;

/// The head of a file of records. The records after it are valid up to the first whose `call` is 0, or the file's end.
struct StreamHead {
    char magic[8];
    uint32_t head_bytes;    ///< offset of the first record
    uint32_t record_bytes;  ///< of each record
    uint32_t process;
    uint32_t thread;
    uint64_t start_ticks;  ///< clock readings at three times: ticks, the monotonic and the real-time clock
    int64_t start_monotonic_ns;
    int64_t start_real_ns;
    uint64_t end_ticks;  ///< the last comparison of the clocks
    int64_t end_monotonic_ns;
    uint64_t lost;      ///< records beyond the limit; their calls are counted in the process's footer
    uint64_t lost_why;  ///< errno of the refusal to extend the file; EFBIG: the limit was reached
    /// While a stream grows, its last records are in one of two windows of this size, between this page and
    /// `head_bytes`; 0: the stream has ended, and all records are after `head_bytes`.
    uint64_t window_bytes;
    /// Records after `head_bytes`, a multiple of a window's; odd multiple: the second window is current. For a stream
    /// that has ended: its records then; there may be more.
    uint64_t flushed;
    /// Bytes read and written of files that are not recorded: they remain known if the program is killed.
    uint64_t unrecorded[2];
    uint64_t reserved[2];
};
static_assert(sizeof(StreamHead) == 128);

/// One call. Nested calls have a higher level and precede it: a record is written when its call has ended.
struct Record {
    uint64_t begin_ticks;
    uint64_t end_ticks;
    int64_t offset;   ///< in the file, of its first byte; -1: none
    uint64_t length;  ///< bytes requested; of an open, its flags
    int64_t result;   ///< bytes moved, or another nonnegative result; negative errno if it failed
    uint32_t file;    ///< a name; 0: none
    uint16_t call;    ///< a name; 0: end of stream
    uint8_t level;    ///< number of enclosing calls of this thread
    uint8_t flags;
};
static_assert(sizeof(Record) == 48);

/// In Record::flags.
enum Flag : uint8_t {
    collective = 1,        ///< a collective call
    offset_of_device = 2,  ///< the offset comes from the kernel: the file's position is shared with another process
    started = 4,           ///< the call starts a transfer, and a wait ends it; its result is the requested size
    first_half = 8,        ///< a call that copies from a file to another: the read, with half of its time
    second_half = 16,      ///< the same call: the write; follows the first half
};

/// The head of a file of counts (`*.counts`): counts of calls by a process, and its children without files of their
/// own, since it could no longer open the trace's files. It is followed by `entries` CountsEntry.
struct CountsHead {
    char magic[8];  ///< counts_magic
    uint32_t process;
    uint32_t entries;
    int64_t end_real_ns;  ///< of the process, when it exited; 0: it did not report its end
    int64_t end_monotonic_ns;
    char why[96];
};
static_assert(sizeof(CountsHead) == 128);
constexpr char counts_magic[8] = {'W', 'E', 'I', 'R', 'C', 'N', 'T', '1'};

struct CountsEntry {
    char call[40];  ///< "POSIX pwrite", null-terminated; empty: no calls
    uint64_t calls;
    uint64_t bytes;
    uint64_t ticks;  ///< 0 if the process could read no clock
};
static_assert(sizeof(CountsEntry) == 64);

/// Precedes each name in the table of names; the text follows, padded with zeros to a multiple of eight bytes.
struct NameHead {
    uint32_t kind;  ///< a NameKind
    uint32_t id;    ///< calls and files have separate ids, from 1 on
    uint32_t length;
    uint32_t parent;  ///< of a dataset: its file; of a file: 0
};

/// The file number in a record if its name did not fit into the table.
constexpr uint32_t unnamed = 0xFFFFFFFF;

/// The first entry whose kind is 0 is the table's end.
enum NameKind : uint32_t {
    call_name = 1,          ///< "POSIX pwrite write": interface, call, and kind of operation
    file_name = 2,          ///< a file's path, or a dataset's name in its file
    communicator_name = 3,  ///< the ranks in MPI_COMM_WORLD of its processes: "0-3,8"
    mark_name = 4,          ///< the program's name for one of its phases
    type_name = 5,          ///< the construction of an MPI datatype from earlier ones: docs/reference/trace.md
};

}  // namespace weir::trace
