#pragma once

#include "trace/recorder/process_facts.hpp"
#include "trace/wrappers/stdio/on_stream.hpp"

namespace weir::trace {

// Writes of streams that append. The kernel puts them at the file's end when the C library flushes its buffer, and
// others may have written to the file since the program's call. So the file's size is asked for when the buffer is
// empty and when it is flushed, and not for a write into the buffer.

/// Called before a write: sets the stream's position to where it will land. `unseen`: bytes that calls inlined in the
/// program have put into the buffer since the last call.
void before_append(OpenDescription&, FILE*, int64_t unseen);

/// Called after a write of this many bytes: where it began. Flushed meanwhile, that is elsewhere than foreseen if
/// others have written.
int64_t after_append(OpenDescription&, FILE*, int64_t bytes);

/// Called before a call that may flush the buffer: corrects the records of the writes in it, if others have written.
void before_flush(OpenDescription&, FILE*);

}  // namespace weir::trace
