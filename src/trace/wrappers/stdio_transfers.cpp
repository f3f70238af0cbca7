// Reads and writes of stdio, of blocks and of single characters.

#include <string.h>

#include "trace/wrappers/stdio.hpp"

using namespace weir::trace;

#undef getc
#undef putc
#undef getchar
#undef putchar

WEIR_CALL(STDIO, fread, read);
WEIR_EXPORT size_t fread(void* data, size_t size, size_t count, FILE* stream) {
    return on_stream(call_fread, stream, Way::reads, size * count, items(size, count),
                     [&] { return call_fread.next<decltype(&fread)>()(data, size, count, stream); });
}

WEIR_CALL(STDIO, fread_unlocked, read);
WEIR_EXPORT size_t fread_unlocked(void* data, size_t size, size_t count, FILE* stream) {
    return on_stream(call_fread_unlocked, stream, Way::reads, size * count, items(size, count),
                     [&] { return call_fread_unlocked.next<decltype(&fread_unlocked)>()(data, size, count, stream); });
}

WEIR_CALL(STDIO, fwrite, write);
WEIR_EXPORT size_t fwrite(void const* data, size_t size, size_t count, FILE* stream) {
    return on_stream(call_fwrite, stream, Way::writes, size * count, items(size, count),
                     [&] { return call_fwrite.next<decltype(&fwrite)>()(data, size, count, stream); });
}

WEIR_CALL(STDIO, fwrite_unlocked, write);
WEIR_EXPORT size_t fwrite_unlocked(void const* data, size_t size, size_t count, FILE* stream) {
    return on_stream(call_fwrite_unlocked, stream, Way::writes, size * count, items(size, count), [&] {
        return call_fwrite_unlocked.next<decltype(&fwrite_unlocked)>()(data, size, count, stream);
    });
}

// What _FORTIFY_SOURCE makes of them: the C library checks the buffer's size.
namespace {
constinit Call next_fread_chk{"STDIO", "__fread_chk", "read"};
constinit Call next_fread_unlocked_chk{"STDIO", "__fread_unlocked_chk", "read"};
using CheckedRead = size_t (*)(void*, size_t, size_t, size_t, FILE*);
}  // namespace

WEIR_EXPORT size_t __fread_chk(void* data, size_t room, size_t size, size_t count, FILE* stream) {
    return on_stream(call_fread, stream, Way::reads, size * count, items(size, count),
                     [&] { return next_fread_chk.next<CheckedRead>()(data, room, size, count, stream); });
}
WEIR_EXPORT size_t __fread_unlocked_chk(void* data, size_t room, size_t size, size_t count, FILE* stream) {
    return on_stream(call_fread_unlocked, stream, Way::reads, size * count, items(size, count),
                     [&] { return next_fread_unlocked_chk.next<CheckedRead>()(data, room, size, count, stream); });
}

/// A character read from a stream, or written to it.
#define READS_ONE(name)                                                               \
    WEIR_CALL(STDIO, name, read);                                                     \
    WEIR_EXPORT int name(FILE* stream) {                                              \
        return on_stream(call_##name, stream, Way::reads, 1, all_unless_negative(1),  \
                         [&] { return call_##name.next<int (*)(FILE*)>()(stream); }); \
    }
#define WRITES_ONE(name)                                                                      \
    WEIR_CALL(STDIO, name, write);                                                            \
    WEIR_EXPORT int name(int c, FILE* stream) {                                               \
        return on_stream(call_##name, stream, Way::writes, 1, all_unless_negative(1),         \
                         [&] { return call_##name.next<int (*)(int, FILE*)>()(c, stream); }); \
    }

READS_ONE(fgetc)
READS_ONE(getc)
READS_ONE(fgetc_unlocked)
WRITES_ONE(fputc)
WRITES_ONE(putc)
WRITES_ONE(fputc_unlocked)
WEIR_SAME(int, _IO_getc, (FILE*), getc)
WEIR_SAME(int, _IO_putc, (int, FILE*), putc)

// The usual case of these is a program's own code; it calls the C library where the buffer does not suffice.
WEIR_CALL(STDIO, getc_unlocked, read);
WEIR_CALL(STDIO, putc_unlocked, write);

namespace {
constinit Call next_underflow{"STDIO", "__uflow", "read"};
constinit Call next_overflow{"STDIO", "__overflow", "write"};

bool is_unrecorded(FILE* stream) { return recording() && file_of(stream) == nullptr; }
int64_t buffered(FILE const* stream) { return stream->_IO_read_end - stream->_IO_read_base; }
}  // namespace

/// The whole buffer is filled, or emptied: of a stream that is not recorded, what the program does with it is not seen.
WEIR_EXPORT int __uflow(FILE* stream) {
    return on_stream(
        call_getc_unlocked, stream, Way::reads, 1,
        [&](int result) { return result < 0              ? asked
                                 : is_unrecorded(stream) ? buffered(stream)
                                                         : 1; },
        [&] { return next_underflow.next<int (*)(FILE*)>()(stream); });
}
WEIR_EXPORT int __overflow(FILE* stream, int c) {
    if (is_unrecorded(stream)) {
        move_unrecorded(1, stream->_IO_write_ptr - stream->_IO_write_base);
    }
    return on_stream(call_putc_unlocked, stream, Way::writes, 1, all_unless_negative(1),
                     [&] { return next_overflow.next<int (*)(FILE*, int)>()(stream, c); });
}

#undef getc_unlocked
#undef putc_unlocked
#undef getchar_unlocked
#undef putchar_unlocked
WEIR_EXPORT int getc_unlocked(FILE* stream) {
    return on_stream(call_getc_unlocked, stream, Way::reads, 1, all_unless_negative(1),
                     [&] { return call_getc_unlocked.next<int (*)(FILE*)>()(stream); });
}
WEIR_EXPORT int putc_unlocked(int c, FILE* stream) {
    return on_stream(call_putc_unlocked, stream, Way::writes, 1, all_unless_negative(1),
                     [&] { return call_putc_unlocked.next<int (*)(int, FILE*)>()(c, stream); });
}

WEIR_CALL(STDIO, getchar_unlocked, read);
WEIR_EXPORT int getchar_unlocked() {
    return on_stream(call_getchar_unlocked, stdin, Way::reads, 1, all_unless_negative(1),
                     [&] { return call_getchar_unlocked.next<int (*)()>()(); });
}

WEIR_CALL(STDIO, putchar_unlocked, write);
WEIR_EXPORT int putchar_unlocked(int c) {
    return on_stream(call_putchar_unlocked, stdout, Way::writes, 1, all_unless_negative(1),
                     [&] { return call_putchar_unlocked.next<int (*)(int)>()(c); });
}

WEIR_CALL(STDIO, getchar, read);
WEIR_EXPORT int getchar() {
    return on_stream(call_getchar, stdin, Way::reads, 1, all_unless_negative(1),
                     [&] { return call_getchar.next<int (*)()>()(); });
}

WEIR_CALL(STDIO, putchar, write);
WEIR_EXPORT int putchar(int c) {
    return on_stream(call_putchar, stdout, Way::writes, 1, all_unless_negative(1),
                     [&] { return call_putchar.next<int (*)(int)>()(c); });
}

WEIR_CALL(STDIO, getw, read);
WEIR_EXPORT int getw(FILE* stream) {
    return on_stream(
        call_getw, stream, Way::reads, sizeof(int), [](int) { return asked; },
        [&] { return call_getw.next<int (*)(FILE*)>()(stream); });
}

WEIR_CALL(STDIO, putw, write);
WEIR_EXPORT int putw(int word, FILE* stream) {
    return on_stream(call_putw, stream, Way::writes, sizeof(int), all_unless_negative(sizeof(int)),
                     [&] { return call_putw.next<int (*)(int, FILE*)>()(word, stream); });
}

WEIR_CALL(STDIO, ungetc, other);
WEIR_EXPORT int ungetc(int c, FILE* stream) {
    return on_stream(
        call_ungetc, stream, Way::reads, 0, [](int) { return asked; },
        [&] { return call_ungetc.next<int (*)(int, FILE*)>()(c, stream); });
}
