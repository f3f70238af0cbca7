#pragma once

#include <stdio.h>

#include "trace/wrappers/wrap.hpp"

namespace weir::trace {

// The position of a stdio stream. The C library fills and flushes buffers without calling a wrapper, and a program's
// compiler inlines the usual case of getc_unlocked() and putc_unlocked(). So the position is counted here, and the
// pointers into the stream's buffer show what has happened unseen between two calls.

/// The file of a stream; null if it is not recorded.
inline OpenDescription* file_of(FILE* stream) {
    // The C library's own field: asking for it by fileno() would set errno for streams without a descriptor.
    return stream == nullptr || stream->_fileno < 0 ? nullptr : file_of(stream->_fileno);
}

/// Starts to track the position of a stream that was opened on this file.
void stream_opened(OpenDescription&, FILE*, int64_t position);

/// Called before a call: returns the position at which it will begin, and records unseen calls. `direction`: the
/// call's.
int64_t before_stream_call(OpenDescription&, FILE*, uint8_t direction);

/// Where a call began, and the bytes that it moved. `asked`: take them from the stream's position.
struct StreamMove {
    int64_t offset;
    int64_t bytes;
};
constexpr int64_t asked = -1;

/// Called after it, with what is known of it by then: returns what it did. `most`: it moved no more.
constexpr int64_t unlimited = INT64_MAX;
StreamMove after_stream_call(OpenDescription&, FILE*, uint8_t direction, StreamMove told, int64_t most);

/// The position as the C library knows it; -1: none.
int64_t ask_position(FILE*);

/// Bytes that the C library has read into a stream's buffer since its end was at `end`.
inline int64_t filled_since(FILE const* stream, char const* end) {
    return stream->_IO_read_end == end ? 0 : stream->_IO_read_end - stream->_IO_read_base;
}

/// Calls the real function, and records it if the stream's file is recorded. `moved` converts its result to the bytes
/// moved; `asked`: from the position; another negative number: it failed, with errno.
template <class Told, class Real>
auto on_stream(Call& call, FILE* stream, uint64_t bytes, Told moved, Real real) {
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
    auto const most = bytes == 0 || bytes > unlimited ? unlimited : static_cast<int64_t>(bytes);  // 0: unknown
    auto const seen = after_stream_call(*file, stream, call.direction(), {before, told < 0 ? asked : told}, most);
    bool const failed = told < 0 && seen.bytes == 0 && ferror_unlocked(stream) != 0;
    recording.end_at(now, name, seen.offset, bytes, failed ? error : seen.bytes);
    return result;
}

/// For a call whose result does not show how many bytes it has moved.
constexpr auto as_asked = [](auto) { return asked; };

/// For a call that returns a negative number on failure, and otherwise moves this many bytes.
inline auto all_unless_negative(int64_t bytes) {
    return [bytes](int64_t result) { return result < 0 ? asked : bytes; };
}

/// For a call that returns the number of items of this size moved; after a short one, a part of an item may have moved
/// too.
inline auto items(size_t size, size_t count) {
    return [size, count](size_t result) {
        return result < count && size > 0 ? asked : static_cast<int64_t>(size * result);
    };
}

}  // namespace weir::trace
