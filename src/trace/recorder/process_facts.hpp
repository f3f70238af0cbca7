#pragma once

#include <stdint.h>

namespace weir::trace {

// The file of facts about this process (`*.process`), a line of JSON each.

/// Names this process's files and writes what it is. `how`: "start" or "fork". False where the trace's folder cannot be
/// written.
bool begin_facts(char const* how);

/// Appends whole lines, so many bytes, in one write: each line is whole or absent. False where that failed.
bool append_fact(char const* lines, int length);

/// Adds a fact that is known later, as its rank.
void add_fact(char const* key, int64_t value);

/// What was moved so far, as the recorder sees it and as the kernel counts it.
void report_byte_counts();

/// The process becomes this program.
void report_next_program(char const* path);

/// This process, or a child of it that has no files yet, starts a program that will not load the recorder. `reason`:
/// "static" or "rights".
void report_unrecorded(char const* program, char const* reason);

/// The process has set up a submission queue ("io_uring" or "libaio"), whose requests the recorder does not see.
/// Reported once a process and kind.
void report_queue(char const* kind);

/// The same where a descriptor's link in /proc ("anon_inode:[io_uring]") names one.
void report_if_queue(char const* link);

/// The footer: the process has ended by itself.
void end_facts();

/// Frees what was reserved for the footer: nothing more is to be written.
void release_reserved_facts();

}  // namespace weir::trace
