// Streams of stdio: open, close, seek, and buffers.

#include <fcntl.h>
#include <string.h>

#include "trace/wrappers/stdio/on_stream.hpp"

using namespace weir::trace;

namespace {

/// The flags of open() for a mode of fopen().
int flags_of(char const* mode) {
    bool const both = strchr(mode, '+') != nullptr;
    int const access = both ? O_RDWR : mode[0] == 'r' ? O_RDONLY : O_WRONLY;
    int const start = mode[0] == 'r' ? 0 : mode[0] == 'a' ? O_CREAT | O_APPEND : O_CREAT | O_TRUNC;
    return access | start | (strchr(mode, 'x') != nullptr ? O_EXCL : 0) |
           (strchr(mode, 'e') != nullptr ? O_CLOEXEC : 0);
}

constexpr uint8_t neither = 2;  ///< the direction of a call that neither reads nor writes

/// Opens a stream, and starts to track its position.
template <class Real>
FILE* opening_stream(Call& call, char const* path, int flags, Real real) {
    auto* const stream = opening(call, AT_FDCWD, path, flags, real);
    auto* const file = stream == nullptr || !recording() ? nullptr : file_of(stream);
    if (file != nullptr) {
        // In append mode writes go to the end; reads start at the beginning.
        bool const at_end = (flags & O_APPEND) != 0 && (flags & O_ACCMODE) == O_WRONLY;
        stream_opened(*file, stream, at_end ? ask_position(stream) : 0);
    }
    return stream;
}

/// A stream may have buffered more than the program has read, when it is closed or repositioned.
void allow_for_buffer(FILE const* stream) {
    if (stream != nullptr && stream->_IO_buf_base != nullptr) {
        count_unrecorded_bytes(0, stream->_IO_buf_end - stream->_IO_buf_base);
    }
}

/// The number of its file's name, when its descriptor is about to be closed.
uint32_t closing_stream(FILE* stream) {
    auto* const file = file_of(stream);
    auto const name = file == nullptr ? 0 : file->name;
    allow_for_buffer(stream);
    if (file != nullptr) {
        before_stream_call(*file, stream, neither);  // calls unseen so far
        file->stdio.stream = nullptr;
    }
    if (stream != nullptr && stream->_fileno >= 0) {
        closed(stream->_fileno);
    }
    return name;
}

constinit Call next_pclose{"STDIO", "pclose", "close"};
}  // namespace

/// A pipe is not recorded, but its descriptor will be reused.
WEIR_EXPORT int pclose(FILE* stream) {
    if (recording()) {
        closing_stream(stream);
    }
    return next_pclose.next<decltype(&pclose)>()(stream);
}

namespace {

/// Sets the position: the new one is taken from the C library. It is also the record's offset.
template <class Real>
auto on_position(Call& call, FILE* stream, Real real) {
    if (!recording()) [[unlikely]] {
        return bypass_recorder(real);
    }
    auto* const file = file_of(stream);
    allow_for_buffer(stream);
    if (file == nullptr) {
        return real();
    }
    auto const name = file->name;
    before_stream_call(*file, stream, neither);
    Recording recording(call);
    auto const result = real();
    auto const now = ticks();
    auto const value = outcome(static_cast<int64_t>(result));
    after_stream_call(*file, stream, neither, {0, asked}, unlimited);
    recording.end_at(now, name, file->stdio.position, 0, value);
    return result;
}

/// For a call that moves no bytes visible to the program. A null stream: all of them.
template <class Real>
auto on_buffer(Call& call, FILE* stream, uint64_t bytes, Real real) {
    if (!recording()) [[unlikely]] {
        return bypass_recorder(real);
    }
    auto* const file = file_of(stream);
    if (file == nullptr && stream != nullptr) {
        return real();
    }
    auto const name = file == nullptr ? 0 : file->name;
    auto const before = file == nullptr ? -1 : before_stream_call(*file, stream, neither);
    Recording recording(call);
    auto const result = real();
    auto const now = ticks();
    auto const value = outcome(result);
    if (file != nullptr) {
        after_stream_call(*file, stream, neither, {before, 0}, unlimited);
    }
    recording.end_at(now, name, before, bytes, value);
    return result;
}

}  // namespace

WEIR_WRAP(STDIO, fopen, open, FILE*, (char const* path, char const* mode), (path, mode),
          opening_stream(call, path, flags_of(mode), real))
WEIR_ALIAS(FILE*, fopen64, (char const*, char const*), fopen)
WEIR_ALIAS(FILE*, _IO_fopen, (char const*, char const*), fopen)
WEIR_WRAP(STDIO, tmpfile, open, FILE*, (), (), opening_stream(call, nullptr, O_RDWR | O_CREAT | O_EXCL, real))
WEIR_ALIAS(FILE*, tmpfile64, (), tmpfile)

WEIR_CALL(STDIO, fdopen, open);
WEIR_EXPORT FILE* fdopen(int fd, char const* mode) noexcept {
    auto const real = [&] { return call_fdopen.next<decltype(&fdopen)>()(fd, mode); };
    if (!recording()) [[unlikely]] {
        return bypass_recorder(real);
    }
    auto* const file = file_of(fd);
    if (file == nullptr) {
        return real();
    }
    auto const name = file->name;
    Recording recording(call_fdopen);
    auto* const stream = real();
    auto const now = ticks();
    auto const value = stream == nullptr ? outcome(-1) : fd;
    recording.end_at(now, name, -1, static_cast<unsigned>(flags_of(mode)), value);
    if (stream != nullptr) {
        file->appends |= mode[0] == 'a';
        stream_opened(*file, stream, ask_position(stream));
    }
    return stream;
}
WEIR_ALIAS(FILE*, _IO_fdopen, (int, char const*), fdopen)

WEIR_CALL(STDIO, freopen, open);
WEIR_EXPORT FILE* freopen(char const* path, char const* mode, FILE* stream) {
    auto const real = [&] { return call_freopen.next<decltype(&freopen)>()(path, mode, stream); };
    if (!recording()) [[unlikely]] {
        return bypass_recorder(real);
    }
    closing_stream(stream);
    return opening_stream(call_freopen, path, flags_of(mode), real);
}
WEIR_ALIAS(FILE*, freopen64, (char const*, char const*, FILE*), freopen)

WEIR_CALL(STDIO, fclose, close);
WEIR_EXPORT int fclose(FILE* stream) {
    auto const real = [&] { return call_fclose.next<decltype(&fclose)>()(stream); };
    if (!recording()) [[unlikely]] {
        return bypass_recorder(real);
    }
    auto const name = closing_stream(stream);
    if (name == 0) {
        return real();
    }
    Recording recording(call_fclose);
    auto const result = real();
    recording.end(name, -1, 0, outcome(result));
    return result;
}
WEIR_ALIAS(int, _IO_fclose, (FILE*), fclose)

WEIR_WRAP(STDIO, fseek, seek, int, (FILE * stream, long offset, int whence), (stream, offset, whence),
          on_position(call, stream, real))
WEIR_WRAP(STDIO, fseeko, seek, int, (FILE * stream, off_t offset, int whence), (stream, offset, whence),
          on_position(call, stream, real))
WEIR_ALIAS(int, fseeko64, (FILE*, off_t, int), fseeko)
WEIR_ALIAS(int, __fseeko64, (FILE*, off_t, int), fseeko)
WEIR_WRAP(STDIO, ftell, seek, long, (FILE * stream), (stream), on_position(call, stream, real))
WEIR_WRAP(STDIO, ftello, seek, off_t, (FILE * stream), (stream), on_position(call, stream, real))
WEIR_ALIAS(off_t, ftello64, (FILE*), ftello)
WEIR_ALIAS(off_t, __ftello64, (FILE*), ftello)
WEIR_WRAP(STDIO, rewind, seek, void, (FILE * stream), (stream),
          static_cast<void>(on_position(call, stream, zero_after(real))))
WEIR_WRAP(STDIO, fgetpos, seek, int, (FILE * stream, fpos_t* position), (stream, position),
          on_position(call, stream, real))
WEIR_ALIAS(int, fgetpos64, (FILE*, fpos64_t*), fgetpos)
WEIR_WRAP(STDIO, fsetpos, seek, int, (FILE * stream, fpos_t const* position), (stream, position),
          on_position(call, stream, real))
WEIR_ALIAS(int, fsetpos64, (FILE*, fpos64_t const*), fsetpos)

WEIR_WRAP(STDIO, fflush, sync, int, (FILE * stream), (stream), on_buffer(call, stream, 0, real))
WEIR_WRAP(STDIO, fflush_unlocked, sync, int, (FILE * stream), (stream), on_buffer(call, stream, 0, real))
WEIR_WRAP(STDIO, setvbuf, other, int, (FILE * stream, char* buffer, int mode, size_t bytes) noexcept,
          (stream, buffer, mode, bytes), on_buffer(call, stream, bytes, real))
WEIR_WRAP(STDIO, setbuffer, other, void, (FILE * stream, char* buffer, size_t bytes) noexcept, (stream, buffer, bytes),
          static_cast<void>(on_buffer(call, stream, bytes, zero_after(real))))
WEIR_WRAP(STDIO, setbuf, other, void, (FILE * stream, char* buffer) noexcept, (stream, buffer),
          static_cast<void>(on_buffer(call, stream, buffer == nullptr ? 0 : BUFSIZ, zero_after(real))))
WEIR_WRAP(STDIO, setlinebuf, other, void, (FILE * stream) noexcept, (stream),
          static_cast<void>(on_buffer(call, stream, 0, zero_after(real))))
