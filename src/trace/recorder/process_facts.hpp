#pragma once

#include <stdint.h>

namespace weir::trace {

struct ByteCounts;

// The file of facts about this process (`*.process`), a line of JSON each.

/// Names this process's files and writes its properties. `how`: "start" or "fork". False if the trace's folder cannot
/// be written.
bool begin_facts(char const* how);

/// Appends complete lines of this length in one write: each line is complete or absent. False if that failed.
bool append_fact(char const* lines, int length);

/// Adds a fact that is known later, such as the rank.
void add_fact(char const* key, int64_t value);

/// Reports the bytes moved so far, as counted by recorder and kernel.
void report_byte_counts();

/// The process is about to exec this program.
void report_next_program(char const* path);

/// This process, or a child of it without files so far, starts a program that will not load the recorder. `reason`:
/// "static" or "rights".
void report_unrecorded(char const* program, char const* reason);

/// The process has set up a submission queue ("io_uring" or "libaio"), whose requests the recorder does not see.
/// Reported once per process and kind.
void report_queue(char const* kind);

/// The same if a descriptor's link in /proc ("anon_inode:[io_uring]") is one.
void report_if_queue(char const* link);

/// Records of writes that appended have other offsets than where their bytes landed. Reported once per process.
void report_misplaced_appends();

/// A signal killed a child that had moved so many bytes by the kernel's count; -1: unknown.
void report_killed(int64_t child, ByteCounts const& moved);

/// What it did with a child: "left" at its end, "waited" for it.
void report_child(char const* what, int64_t child);

/// The footer: the process exits, has moved so many bytes as counted by recorder and kernel, and leaves so many
/// children; -1: unknown.
void end_facts(int64_t children_left);

/// Frees the space reserved for the footer: nothing more will be written.
void release_reserved_facts();

}  // namespace weir::trace
