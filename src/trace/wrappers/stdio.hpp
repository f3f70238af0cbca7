#pragma once

#include "trace/recorder/stdio_position.hpp"
#include "trace/recorder/wrap.hpp"

namespace weir::trace {

/// What the C library has read into a stream's buffer since its end was there.
inline int64_t filled_since(FILE const* stream, char const* end) {
    return stream->_IO_read_end == end ? 0 : stream->_IO_read_end - stream->_IO_read_base;
}

/// Calls the real function, and records it where the stream's file is recorded. `moved` gives, from its result, the
/// bytes that it has moved; `asked`: as many as the position tells; another negative number: it failed, with errno.
template <class Moved, class Real>
auto on_stream(Call& call, FILE* stream, Way way, uint64_t bytes, Moved moved, Real real) {
    if (!recording()) [[unlikely]] {
        begin_process();
        auto const result = real();
        if (counts_passing()) {
            count_passed(call, stream == nullptr ? -1 : stream->_fileno, moved(result));
        }
        return result;
    }
    auto* const file = file_of(stream);
    if (file == nullptr) {
        auto const* const end = stream == nullptr ? nullptr : stream->_IO_read_end;
        auto const result = real();
        int64_t const told = moved(result);
        move_unrecorded(call.way(), told >= 0 || stream == nullptr ? told : filled_since(stream, end));
        return result;
    }
    auto const name = file->name;
    auto const before = stdio_before(*file, stream, way);
    Recording recording(call);
    auto const result = real();
    auto const now = ticks();
    auto const error = outcome(-1);
    int64_t const told = moved(result);
    auto const seen = stdio_after(*file, stream, way, before, told < 0 ? asked : told);
    bool const failed = told < 0 && seen == 0 && ferror_unlocked(stream) != 0;
    recording.end_at(now, name, before, bytes, failed ? error : seen);
    return result;
}

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
