// How streams come and go, where they stand, and their buffers.

#include <fcntl.h>
#include <string.h>

#include "trace/wrappers/opening.hpp"
#include "trace/wrappers/stdio.hpp"

using namespace weir::trace;

namespace {

/// The flags of open() that a mode of fopen() stands for.
int flags_of(char const* mode) {
    bool const both = strchr(mode, '+') != nullptr;
    int const way = both ? O_RDWR : mode[0] == 'r' ? O_RDONLY : O_WRONLY;
    int const start = mode[0] == 'r' ? 0 : mode[0] == 'a' ? O_CREAT | O_APPEND : O_CREAT | O_TRUNC;
    return way | start | (strchr(mode, 'x') != nullptr ? O_EXCL : 0) | (strchr(mode, 'e') != nullptr ? O_CLOEXEC : 0);
}

/// Opens a stream, and begins to follow its position.
template <class Real>
FILE* opening_stream(Call& call, char const* path, int flags, Real real) {
    auto* const stream = opening(call, AT_FDCWD, path, flags, real);
    auto* const file = stream == nullptr || !recording() ? nullptr : file_of(stream);
    if (file != nullptr) {
        // Of a stream that appends, writes go to the end; where it reads, at first from the beginning.
        bool const at_end = (flags & O_APPEND) != 0 && (flags & O_ACCMODE) == O_WRONLY;
        stdio_opened(*file, stream, at_end ? ask_position(stream) : 0, at_end);
    }
    return stream;
}

/// A stream may have read a buffer more than the program asked for, when it is closed or goes elsewhere.
void allow_for_buffer(FILE const* stream) {
    if (stream != nullptr && stream->_IO_buf_base != nullptr) {
        move_unrecorded(0, stream->_IO_buf_end - stream->_IO_buf_base);
    }
}

/// The number of its file's name, when its descriptor is about to be closed.
uint32_t closing(FILE* stream) {
    auto* const file = file_of(stream);
    auto const name = file == nullptr ? 0 : file->name;
    allow_for_buffer(stream);
    if (file != nullptr) {
        stdio_before(*file, stream, Way::neither);  // what was not seen so far
        file->stdio.stream = nullptr;
    }
    if (stream != nullptr && stream->_fileno >= 0) {
        closed(stream->_fileno);
    }
    return name;
}

}  // namespace

WEIR_CALL(STDIO, fopen, open);
WEIR_EXPORT FILE* fopen(char const* path, char const* mode) {
    return opening_stream(call_fopen, path, flags_of(mode),
                          [&] { return call_fopen.next<decltype(&fopen)>()(path, mode); });
}
WEIR_SAME(FILE*, fopen64, (char const*, char const*), fopen)
WEIR_SAME(FILE*, _IO_fopen, (char const*, char const*), fopen)

WEIR_CALL(STDIO, tmpfile, open);
WEIR_EXPORT FILE* tmpfile() {
    return opening_stream(call_tmpfile, nullptr, O_RDWR | O_CREAT | O_EXCL,
                          [&] { return call_tmpfile.next<decltype(&tmpfile)>()(); });
}
WEIR_SAME(FILE*, tmpfile64, (), tmpfile)

WEIR_CALL(STDIO, fdopen, open);
WEIR_EXPORT FILE* fdopen(int fd, char const* mode) noexcept {
    auto const real = [&] { return call_fdopen.next<decltype(&fdopen)>()(fd, mode); };
    if (!recording()) [[unlikely]] {
        begin_process();
        return real();
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
        stdio_opened(*file, stream, ask_position(stream), false);
    }
    return stream;
}
WEIR_SAME(FILE*, _IO_fdopen, (int, char const*), fdopen)

WEIR_CALL(STDIO, freopen, open);
WEIR_EXPORT FILE* freopen(char const* path, char const* mode, FILE* stream) {
    auto const real = [&] { return call_freopen.next<decltype(&freopen)>()(path, mode, stream); };
    if (!recording()) [[unlikely]] {
        begin_process();
        return real();
    }
    closing(stream);
    return opening_stream(call_freopen, path, flags_of(mode), real);
}
WEIR_SAME(FILE*, freopen64, (char const*, char const*, FILE*), freopen)

WEIR_CALL(STDIO, fclose, close);
WEIR_EXPORT int fclose(FILE* stream) {
    auto const real = [&] { return call_fclose.next<decltype(&fclose)>()(stream); };
    if (!recording()) [[unlikely]] {
        begin_process();
        return real();
    }
    auto const name = closing(stream);
    if (name == 0) {
        return real();
    }
    Recording recording(call_fclose);
    auto const result = real();
    recording.end(name, -1, 0, outcome(result));
    return result;
}
WEIR_SAME(int, _IO_fclose, (FILE*), fclose)

namespace {
constinit Call next_pclose{"STDIO", "pclose", "close"};
}

/// A pipe is not recorded, but its descriptor will come again.
WEIR_EXPORT int pclose(FILE* stream) {
    if (recording()) {
        closing(stream);
    }
    return next_pclose.next<decltype(&pclose)>()(stream);
}

namespace {

/// Sets the position: what the C library then says is taken for it. The record's offset is the new one.
template <class Real>
auto on_position(Call& call, FILE* stream, Real real) {
    if (!recording()) [[unlikely]] {
        begin_process();
        return real();
    }
    auto* const file = file_of(stream);
    allow_for_buffer(stream);
    if (file == nullptr) {
        return real();
    }
    auto const name = file->name;
    stdio_before(*file, stream, Way::neither);
    Recording recording(call);
    auto const result = real();
    auto const now = ticks();
    auto const value = outcome(static_cast<int64_t>(result));
    stdio_after(*file, stream, Way::neither, 0, asked);
    recording.end_at(now, name, file->stdio.position, 0, value);
    return result;
}

}  // namespace

WEIR_CALL(STDIO, fseek, seek);
WEIR_EXPORT int fseek(FILE* stream, long offset, int whence) {
    return on_position(call_fseek, stream, [&] { return call_fseek.next<decltype(&fseek)>()(stream, offset, whence); });
}

WEIR_CALL(STDIO, fseeko, seek);
WEIR_EXPORT int fseeko(FILE* stream, off_t offset, int whence) {
    return on_position(call_fseeko, stream,
                       [&] { return call_fseeko.next<decltype(&fseeko)>()(stream, offset, whence); });
}
WEIR_SAME(int, fseeko64, (FILE*, off_t, int), fseeko)
WEIR_SAME(int, __fseeko64, (FILE*, off_t, int), fseeko)

WEIR_CALL(STDIO, ftell, seek);
WEIR_EXPORT long ftell(FILE* stream) {
    return on_position(call_ftell, stream, [&] { return call_ftell.next<decltype(&ftell)>()(stream); });
}

WEIR_CALL(STDIO, ftello, seek);
WEIR_EXPORT off_t ftello(FILE* stream) {
    return on_position(call_ftello, stream, [&] { return call_ftello.next<decltype(&ftello)>()(stream); });
}
WEIR_SAME(off_t, ftello64, (FILE*), ftello)
WEIR_SAME(off_t, __ftello64, (FILE*), ftello)

WEIR_CALL(STDIO, rewind, seek);
WEIR_EXPORT void rewind(FILE* stream) {
    on_position(call_rewind, stream, [&] {
        call_rewind.next<decltype(&rewind)>()(stream);
        return 0;
    });
}

WEIR_CALL(STDIO, fgetpos, seek);
WEIR_EXPORT int fgetpos(FILE* stream, fpos_t* position) {
    return on_position(call_fgetpos, stream, [&] { return call_fgetpos.next<decltype(&fgetpos)>()(stream, position); });
}
WEIR_SAME(int, fgetpos64, (FILE*, fpos64_t*), fgetpos)

WEIR_CALL(STDIO, fsetpos, seek);
WEIR_EXPORT int fsetpos(FILE* stream, fpos_t const* position) {
    return on_position(call_fsetpos, stream, [&] { return call_fsetpos.next<decltype(&fsetpos)>()(stream, position); });
}
WEIR_SAME(int, fsetpos64, (FILE*, fpos64_t const*), fsetpos)

namespace {

/// Of a call that moves nothing that the program would see. A stream of null: all of them.
template <class Real>
auto on_buffer(Call& call, FILE* stream, uint64_t bytes, Real real) {
    if (!recording()) [[unlikely]] {
        begin_process();
        return real();
    }
    auto* const file = file_of(stream);
    if (file == nullptr && stream != nullptr) {
        return real();
    }
    auto const name = file == nullptr ? 0 : file->name;
    auto const before = file == nullptr ? -1 : stdio_before(*file, stream, Way::neither);
    auto const at_end = file != nullptr && file->stdio.at_end;
    Recording recording(call);
    auto const result = real();
    auto const now = ticks();
    auto const value = outcome(result);
    if (file != nullptr) {
        stdio_after(*file, stream, Way::neither, before, 0);
        file->stdio.at_end = at_end;
    }
    recording.end_at(now, name, before, bytes, value);
    return result;
}

}  // namespace

WEIR_CALL(STDIO, fflush, sync);
WEIR_EXPORT int fflush(FILE* stream) {
    return on_buffer(call_fflush, stream, 0, [&] { return call_fflush.next<decltype(&fflush)>()(stream); });
}

WEIR_CALL(STDIO, fflush_unlocked, sync);
WEIR_EXPORT int fflush_unlocked(FILE* stream) {
    return on_buffer(call_fflush_unlocked, stream, 0,
                     [&] { return call_fflush_unlocked.next<decltype(&fflush_unlocked)>()(stream); });
}

WEIR_CALL(STDIO, setvbuf, other);
WEIR_EXPORT int setvbuf(FILE* stream, char* buffer, int mode, size_t bytes) noexcept {
    return on_buffer(call_setvbuf, stream, bytes,
                     [&] { return call_setvbuf.next<decltype(&setvbuf)>()(stream, buffer, mode, bytes); });
}

WEIR_CALL(STDIO, setbuffer, other);
WEIR_EXPORT void setbuffer(FILE* stream, char* buffer, size_t bytes) noexcept {
    on_buffer(call_setbuffer, stream, bytes, [&] {
        call_setbuffer.next<decltype(&setbuffer)>()(stream, buffer, bytes);
        return 0;
    });
}

WEIR_CALL(STDIO, setbuf, other);
WEIR_EXPORT void setbuf(FILE* stream, char* buffer) noexcept {
    on_buffer(call_setbuf, stream, buffer == nullptr ? 0 : BUFSIZ, [&] {
        call_setbuf.next<decltype(&setbuf)>()(stream, buffer);
        return 0;
    });
}

WEIR_CALL(STDIO, setlinebuf, other);
WEIR_EXPORT void setlinebuf(FILE* stream) noexcept {
    on_buffer(call_setlinebuf, stream, 0, [&] {
        call_setlinebuf.next<decltype(&setlinebuf)>()(stream);
        return 0;
    });
}
