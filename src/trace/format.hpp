#pragma once

// The trace format, version 1: what the recorder writes and readers map into memory. See docs/reference/trace.md.
//
// A trace is a folder. Each process has a file of facts (`*.process`, JSON Lines), a table of names (`*.names`) and,
// for each of its threads, a stream of records (`*.records`). All of them only grow, and are valid at every instant:
// where a program was killed, what it had finished is there.

#include <stdint.h>

namespace weir::trace {

constexpr char magic[8] = {'W', 'E', 'I', 'R', 'T', 'R', 'C', '1'};
constexpr uint32_t head_page = 4096;

/// At the start of a file of records. `records` after it are valid up to the first whose `call` is 0, or the file's
/// end.
struct StreamHead {
    char magic[8];
    uint32_t head_bytes;    ///< where records begin
    uint32_t record_bytes;  ///< of each
    uint32_t process;
    uint32_t thread;
    uint64_t start_ticks;  ///< the clock at three times: ticks at a time of the monotonic and of the real-time clock
    int64_t start_monotonic_ns;
    int64_t start_real_ns;
    uint64_t end_ticks;  ///< the last time that the clocks were compared
    int64_t end_monotonic_ns;
    uint64_t lost;      ///< records that did not fit the bound; their calls are counted in the process's footer
    uint64_t lost_why;  ///< the error number with which the system refused more room; EFBIG: the bound was reached
    /// While a stream grows, its last records lie in one of two windows, each of so many bytes, between this page and
    /// `head_bytes`; 0: it has ended, and all are behind `head_bytes`.
    uint64_t window_bytes;
    /// Records behind `head_bytes`, a multiple of those in a window; an odd multiple: in the second. Of a stream that
    /// has ended: all that it had then; there may be more.
    uint64_t flushed;
    uint64_t reserved[4];
};
static_assert(sizeof(StreamHead) == 128);

/// One call. Calls inside it have a higher level, and stand before it: a record is written when its call has ended.
struct Record {
    uint64_t begin_ticks;
    uint64_t end_ticks;
    int64_t offset;   ///< in the file, of its first byte; -1 where it has none
    uint64_t length;  ///< bytes asked for; of an open, its flags
    int64_t result;   ///< bytes moved, or another result that is not negative; minus the error number where it failed
    uint32_t file;    ///< a name; 0: none
    uint16_t call;    ///< a name; 0: the stream ends here
    uint8_t level;    ///< calls of this thread around it
    uint8_t flags;
};
static_assert(sizeof(Record) == 48);

/// In Record::flags.
enum Flag : uint8_t {
    collective = 1,        ///< a call that all ranks of a communicator make
    offset_of_device = 2,  ///< the offset was asked of the system: the file's position is shared with another process
    started = 4,           ///< the call began a transfer, and a wait ends it; its result is what it was asked for
    first_half = 8,        ///< a call that moves data from a file to another: what it read, in half of its time
    second_half = 16,      ///< the same call: what it wrote; stands behind the first half
};

/// At the start of a file of counts (`*.counts`): of calls of a process, and of its children that have no files of
/// their own, after it could open none of the trace any more. CountsEntry follow, `entries` of them.
struct CountsHead {
    char magic[8];  ///< counts_magic
    uint32_t process;
    uint32_t entries;
    int64_t end_real_ns;  ///< of the process, by itself; 0: it has not told
    int64_t end_monotonic_ns;
    char why[96];
};
static_assert(sizeof(CountsHead) == 128);
constexpr char counts_magic[8] = {'W', 'E', 'I', 'R', 'C', 'N', 'T', '1'};

struct CountsEntry {
    char call[40];  ///< "POSIX pwrite", ended by a zero; empty: none was made
    uint64_t calls;
    uint64_t bytes;
    uint64_t ticks;  ///< 0 where the process could look at no clock
};
static_assert(sizeof(CountsEntry) == 64);

/// Before each name in the table of names; the text follows, filled up with zeros to a multiple of eight bytes.
struct NameHead {
    uint32_t kind;  ///< a NameKind
    uint32_t id;    ///< ids of calls and of files are counted apart, from 1 on
    uint32_t length;
    uint32_t parent;  ///< of a dataset: its file; of a file: 0
};

/// The number in a record of a file whose name found no room in the table.
constexpr uint32_t unnamed = 0xFFFFFFFF;

/// The first entry whose kind is 0 is the table's end.
enum NameKind : uint32_t {
    call_name = 1,          ///< "POSIX pwrite write": interface, call, and what kind of operation it is
    file_name = 2,          ///< a file's path, or a dataset's name in its file
    communicator_name = 3,  ///< the ranks in MPI_COMM_WORLD of its processes: "0-3,8"
    mark_name = 4,          ///< what the program calls one of its phases
    type_name = 5,          ///< how a datatype of MPI was made, of types before it: docs/reference/trace.md
};

}  // namespace weir::trace
