// Reads and writes of stdio, of blocks and of single characters.

#include <string.h>

#include "trace/wrappers/stdio/on_stream.hpp"

using namespace weir::trace;

#undef getc
#undef putc
#undef getchar
#undef putchar
#undef getc_unlocked
#undef putc_unlocked
#undef getchar_unlocked
#undef putchar_unlocked

WEIR_WRAP(STDIO, fread, read, size_t, (void* data, size_t size, size_t count, FILE* stream),
          (data, size, count, stream), on_stream(call, stream, size* count, items(size, count), real))
WEIR_WRAP(STDIO, fread_unlocked, read, size_t, (void* data, size_t size, size_t count, FILE* stream),
          (data, size, count, stream), on_stream(call, stream, size* count, items(size, count), real))
WEIR_WRAP(STDIO, fwrite, write, size_t, (void const* data, size_t size, size_t count, FILE* stream),
          (data, size, count, stream), on_stream(call, stream, size* count, items(size, count), real))
WEIR_WRAP(STDIO, fwrite_unlocked, write, size_t, (void const* data, size_t size, size_t count, FILE* stream),
          (data, size, count, stream), on_stream(call, stream, size* count, items(size, count), real))

// Variants for _FORTIFY_SOURCE: the C library checks the buffer's size.
namespace {
constinit Call next_fread_chk{"STDIO", "__fread_chk", "read"};
constinit Call next_fread_unlocked_chk{"STDIO", "__fread_unlocked_chk", "read"};
using CheckedRead = size_t (*)(void*, size_t, size_t, size_t, FILE*);
}  // namespace

WEIR_EXPORT size_t __fread_chk(void* data, size_t room, size_t size, size_t count, FILE* stream) {
    return on_stream(call_fread, stream, size * count, items(size, count),
                     [&] { return next_fread_chk.next<CheckedRead>()(data, room, size, count, stream); });
}
WEIR_EXPORT size_t __fread_unlocked_chk(void* data, size_t room, size_t size, size_t count, FILE* stream) {
    return on_stream(call_fread_unlocked, stream, size * count, items(size, count),
                     [&] { return next_fread_unlocked_chk.next<CheckedRead>()(data, room, size, count, stream); });
}

/// A character read from a stream, or written to it.
#define READS_ONE(name)                                          \
    WEIR_WRAP(STDIO, name, read, int, (FILE * stream), (stream), \
              on_stream(call, stream, 1, all_unless_negative(1), real))
#define WRITES_ONE(name)                                                   \
    WEIR_WRAP(STDIO, name, write, int, (int c, FILE* stream), (c, stream), \
              on_stream(call, stream, 1, all_unless_negative(1), real))

READS_ONE(fgetc)
READS_ONE(getc)
READS_ONE(fgetc_unlocked)
WRITES_ONE(fputc)
WRITES_ONE(putc)
WRITES_ONE(fputc_unlocked)
READS_ONE(getc_unlocked)
WRITES_ONE(putc_unlocked)
WEIR_ALIAS(int, _IO_getc, (FILE*), getc)
WEIR_ALIAS(int, _IO_putc, (int, FILE*), putc)

// The usual case of getc_unlocked() and putc_unlocked() is inlined into the program; it calls these if the buffer is
// exhausted.
namespace {
constinit Call next_underflow{"STDIO", "__uflow", "read"};
constinit Call next_overflow{"STDIO", "__overflow", "write"};

bool is_unrecorded(FILE* stream) { return recording() && file_of(stream) == nullptr; }
int64_t buffered(FILE const* stream) { return stream->_IO_read_end - stream->_IO_read_base; }
}  // namespace

/// The complete buffer is filled, or emptied: what the program does with it in between is unseen.
WEIR_EXPORT int __uflow(FILE* stream) {
    return on_stream(
        call_getc_unlocked, stream, 1,
        [&](int result) { return result < 0              ? asked
                                 : is_unrecorded(stream) ? buffered(stream)
                                                         : 1; },
        [&] { return next_underflow.next<int (*)(FILE*)>()(stream); });
}
WEIR_EXPORT int __overflow(FILE* stream, int c) {
    if (is_unrecorded(stream)) {
        count_unrecorded_bytes(1, stream->_IO_write_ptr - stream->_IO_write_base);
    }
    return on_stream(call_putc_unlocked, stream, 1, all_unless_negative(1),
                     [&] { return next_overflow.next<int (*)(FILE*, int)>()(stream, c); });
}

WEIR_WRAP(STDIO, getchar_unlocked, read, int, (), (), on_stream(call, stdin, 1, all_unless_negative(1), real))
WEIR_WRAP(STDIO, putchar_unlocked, write, int, (int c), (c), on_stream(call, stdout, 1, all_unless_negative(1), real))
WEIR_WRAP(STDIO, getchar, read, int, (), (), on_stream(call, stdin, 1, all_unless_negative(1), real))
WEIR_WRAP(STDIO, putchar, write, int, (int c), (c), on_stream(call, stdout, 1, all_unless_negative(1), real))
WEIR_WRAP(STDIO, getw, read, int, (FILE * stream), (stream), on_stream(call, stream, sizeof(int), as_asked, real))
WEIR_WRAP(STDIO, putw, write, int, (int word, FILE* stream), (word, stream),
          on_stream(call, stream, sizeof(int), all_unless_negative(sizeof(int)), real))
WEIR_WRAP(STDIO, ungetc, other, int, (int c, FILE* stream), (c, stream), on_stream(call, stream, 0, as_asked, real))
