#pragma once

#include <stdint.h>

#include "trace/recorder/calls.hpp"

namespace weir::trace {

/// Names this process's files, and writes down what it is: a line of JSON. `how`: "start" or "fork". False where the
/// trace's folder cannot be written.
bool begin_facts(char const* how);

/// Adds a fact about the process, as a line of JSON of one key: its rank, when it is known.
void add_fact(char const* key, int64_t value);

/// What did not fit the bound since it was told last, by call.
void tell_lost();

/// What was moved so far, as it was seen here and as the kernel counts it.
void tell_moved();

/// The process becomes this program.
void tell_next_program(char const* path);

/// This process, or a child of it that has no files yet, starts a program that will not load the recorder. `reason`:
/// "static" or "rights".
void tell_unrecorded(char const* program, char const* reason);

/// The footer: the process has ended by itself.
void end_facts();

/// What was kept for facts and is not needed: nothing more is to be said.
void give_back_room();

/// Counts a call whose record did not fit.
void count_lost(Call const&, int64_t result, uint64_t ticks);

}  // namespace weir::trace
