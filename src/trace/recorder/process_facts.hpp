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

/// The footer: the process has ended by itself.
void end_facts();

/// What was kept for facts and is not needed: nothing more is to be said.
void give_back_room();

/// Counts a call whose record did not fit.
void count_lost(Call const&, int64_t result, uint64_t ticks);

}  // namespace weir::trace
