#pragma once

#include <stdio.h>

#include "trace/wrappers/wrap.hpp"

namespace weir::trace {

// Where a stream of stdio stands. The C library reads and writes its buffers without calling a wrapper, and a program's
// compiler inlines the usual case of getc_unlocked() and putc_unlocked(). So the position is counted here, and the
// pointers into the stream's buffer tell what has happened unseen between two calls.

/// The file of a stream; null where it is not to be recorded.
inline OpenFile* file_of(FILE* stream) {
    // The C library's own field: asking for it by fileno() would set errno for streams without a descriptor.
    return stream == nullptr || stream->_fileno < 0 ? nullptr : file_of(stream->_fileno);
}

/// Begins to follow the position of a stream that was opened on this file.
void stream_opened(OpenFile&, FILE*, int64_t position, bool at_end);

/// Before a call: the position at which it will begin. Records what has happened unseen. `direction`: the call's.
int64_t before_stream_call(OpenFile&, FILE*, uint8_t direction);

/// After it: so many bytes were moved. `asked`: as many as the stream's position tells.
constexpr int64_t asked = -1;
int64_t after_stream_call(OpenFile&, FILE*, uint8_t direction, int64_t before, int64_t bytes);

/// The position as the C library knows it; -1: none.
int64_t ask_position(FILE*);

/// What the C library has read into a stream's buffer since its end was there.
inline int64_t filled_since(FILE const* stream, char const* end) {
    return stream->_IO_read_end == end ? 0 : stream->_IO_read_end - stream->_IO_read_base;
}

/// Calls the real function, and records it where the stream's file is recorded. `moved` gives, from its result, the
/// bytes that it has moved; `asked`: as many as the position tells; another negative number: it failed, with errno.
template <class Moved, class Real>
auto on_stream(Call& call, FILE* stream, uint64_t bytes, Moved moved, Real real) {
    if (!recording()) [[unlikely]] {
        begin_process();
        auto const result = real();
        if (counts_bypassed()) {
            count_bypassed(call, stream == nullptr ? -1 : stream->_fileno, moved(result));
        }
        return result;
    }
    auto* const file = file_of(stream);
    if (file == nullptr) {
        auto const* const end = stream == nullptr ? nullptr : stream->_IO_read_end;
        auto const result = real();
        int64_t const told = moved(result);
        count_unrecorded_bytes(call.direction(), told >= 0 || stream == nullptr ? told : filled_since(stream, end));
        return result;
    }
    auto const name = file->name;
    auto const before = before_stream_call(*file, stream, call.direction());
    Recording recording(call);
    auto const result = real();
    auto const now = ticks();
    auto const error = outcome(-1);
    int64_t const told = moved(result);
    auto const seen = after_stream_call(*file, stream, call.direction(), before, told < 0 ? asked : told);
    bool const failed = told < 0 && seen == 0 && ferror_unlocked(stream) != 0;
    recording.end_at(now, name, before, bytes, failed ? error : seen);
    return result;
}

/// Of a call whose result does not tell how many bytes it has moved.
constexpr auto as_asked = [](auto) { return asked; };

/// Of a call that returns a negative number where it fails, and moves so many bytes otherwise.
inline auto all_unless_negative(int64_t bytes) {
    return [bytes](int64_t result) { return result < 0 ? asked : bytes; };
}

/// Of a call that returns how many items of this size it has moved; of one that was cut short, a part may have been
/// too.
inline auto items(size_t size, size_t count) {
    return [size, count](size_t result) { return result < count ? asked : static_cast<int64_t>(size * result); };
}

}  // namespace weir::trace
