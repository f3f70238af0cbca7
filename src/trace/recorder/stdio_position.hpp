#pragma once

#include <stdio.h>

#include "trace/recorder/files.hpp"

namespace weir::trace {

// Where a stream of stdio stands. The C library reads and writes its buffers past all wrappers, and a program's
// compiler puts the usual case of getc_unlocked() and putc_unlocked() into the program itself. So the position is
// counted here, and the places in the stream's buffer tell what has passed unseen between two calls.

enum class Way { reads, writes, neither };

/// The file of a stream; null where it is not to be recorded.
inline OpenFile* file_of(FILE* stream) {
    // The C library's own field: asking for it by fileno() would set errno for streams without a descriptor.
    return stream == nullptr || stream->_fileno < 0 ? nullptr : file_of(stream->_fileno);
}

/// A stream has been opened on this file, by this call of fopen(), freopen() or fdopen().
void stdio_opened(OpenFile&, FILE*, int64_t position, bool at_end);

/// Before a call: where it will begin. Records what has passed unseen.
int64_t stdio_before(OpenFile&, FILE*, Way);

/// After it: so many bytes were moved. `asked`: as many as the stream's position tells.
constexpr int64_t asked = -1;
int64_t stdio_after(OpenFile&, FILE*, Way, int64_t before, int64_t bytes);

/// The position as the C library knows it; -1: none.
int64_t ask_position(FILE*);

}  // namespace weir::trace
