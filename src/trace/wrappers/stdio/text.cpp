// Reads and writes of stdio, of lines and of formatted text.

#include <stdarg.h>
#include <string.h>

#include "trace/wrappers/stdio/on_stream.hpp"

using namespace weir::trace;

namespace {

/// For a call that returns the number of bytes moved, or a negative number.
constexpr auto as_told = [](int64_t result) { return result < 0 ? asked : result; };

/// A line fills the buffer or ends with a newline; otherwise it may contain a null byte.
auto line_in(int room) {
    return [room](char const* line) {
        auto const bytes = line == nullptr ? 0 : static_cast<int64_t>(strlen(line));
        bool const sure = bytes > 0 && (line[bytes - 1] == '\n' || bytes == room - 1);
        return sure ? bytes : asked;
    };
}

constinit Call next_fgets_chk{"STDIO", "__fgets_chk", "read"};
constinit Call next_fgets_unlocked_chk{"STDIO", "__fgets_unlocked_chk", "read"};
using CheckedLine = char* (*)(char*, size_t, int, FILE*);

/// Writes text, followed by `more` bytes.
template <class Real>
int on_text(Call& call, FILE* stream, char const* text, size_t more, Real real) {
    auto const bytes = strlen(text) + more;
    return on_stream(call, stream, bytes, all_unless_negative(static_cast<int64_t>(bytes)), real);
}

constinit Call next_vfprintf{"STDIO", "vfprintf", "write"};
constinit Call next_vfprintf_chk{"STDIO", "__vfprintf_chk", "write"};
constinit Call next_vdprintf{"STDIO", "vdprintf", "write"};
constinit Call next_vdprintf_chk{"STDIO", "__vdprintf_chk", "write"};
constinit Call next_vfscanf{"STDIO", "vfscanf", "read"};
constinit Call next_vfscanf_99{"STDIO", "__isoc99_vfscanf", "read"};
constinit Call next_vfscanf_23{"STDIO", "__isoc23_vfscanf", "read"};

int print(Call& call, FILE* stream, char const* format, va_list arguments) {
    return on_stream(call, stream, 0, as_told,
                     [&] { return next_vfprintf.next<decltype(&vfprintf)>()(stream, format, arguments); });
}

int print_checked(Call& call, FILE* stream, int level, char const* format, va_list arguments) {
    using Function = int (*)(FILE*, int, char const*, va_list);
    return on_stream(call, stream, 0, as_told,
                     [&] { return next_vfprintf_chk.next<Function>()(stream, level, format, arguments); });
}

int scan(Call& call, Call& next, FILE* stream, char const* format, va_list arguments) {
    return on_stream(call, stream, 0, as_asked,
                     [&] { return next.next<decltype(&vfscanf)>()(stream, format, arguments); });
}

}  // namespace

WEIR_WRAP(STDIO, fgets, read, char*, (char* line, int room, FILE* stream), (line, room, stream),
          on_stream(call, stream, static_cast<uint64_t>(room - 1), line_in(room), real))
WEIR_WRAP(STDIO, fgets_unlocked, read, char*, (char* line, int room, FILE* stream), (line, room, stream),
          on_stream(call, stream, static_cast<uint64_t>(room - 1), line_in(room), real))

WEIR_EXPORT char* __fgets_chk(char* line, size_t size, int room, FILE* stream) {
    return on_stream(call_fgets, stream, static_cast<uint64_t>(room - 1), line_in(room),
                     [&] { return next_fgets_chk.next<CheckedLine>()(line, size, room, stream); });
}
WEIR_EXPORT char* __fgets_unlocked_chk(char* line, size_t size, int room, FILE* stream) {
    return on_stream(call_fgets_unlocked, stream, static_cast<uint64_t>(room - 1), line_in(room),
                     [&] { return next_fgets_unlocked_chk.next<CheckedLine>()(line, size, room, stream); });
}

WEIR_WRAP(STDIO, getdelim, read, ssize_t, (char** line, size_t* room, int delimiter, FILE* stream),
          (line, room, delimiter, stream), on_stream(call, stream, 0, as_told, real))
WEIR_ALIAS(ssize_t, __getdelim, (char**, size_t*, int, FILE*), getdelim)
WEIR_WRAP(STDIO, getline, read, ssize_t, (char** line, size_t* room, FILE* stream), (line, room, stream),
          on_stream(call, stream, 0, as_told, real))

WEIR_WRAP(STDIO, fputs, write, int, (char const* text, FILE* stream), (text, stream),
          on_text(call, stream, text, 0, real))
WEIR_WRAP(STDIO, fputs_unlocked, write, int, (char const* text, FILE* stream), (text, stream),
          on_text(call, stream, text, 0, real))
WEIR_WRAP(STDIO, puts, write, int, (char const* text), (text), on_text(call, stdout, text, 1, real))

// Formatted text. Its length is known only after it has been written: the record's length is its result.

#define WITH_ARGUMENTS(expression)    \
    va_list arguments;                \
    va_start(arguments, format);      \
    auto const result = (expression); \
    va_end(arguments);                \
    return result

WEIR_CALL(STDIO, fprintf, write);
WEIR_EXPORT int fprintf(FILE* stream, char const* format, ...) {
    WITH_ARGUMENTS(print(call_fprintf, stream, format, arguments));
}
WEIR_EXPORT int __fprintf_chk(FILE* stream, int level, char const* format, ...) {
    WITH_ARGUMENTS(print_checked(call_fprintf, stream, level, format, arguments));
}
WEIR_ALIAS(int, _IO_fprintf, (FILE*, char const*, ...), fprintf)

WEIR_CALL(STDIO, printf, write);
WEIR_EXPORT int printf(char const* format, ...) { WITH_ARGUMENTS(print(call_printf, stdout, format, arguments)); }
WEIR_EXPORT int __printf_chk(int level, char const* format, ...) {
    WITH_ARGUMENTS(print_checked(call_printf, stdout, level, format, arguments));
}
WEIR_ALIAS(int, _IO_printf, (char const*, ...), printf)

WEIR_CALL(STDIO, vfprintf, write);
WEIR_EXPORT int vfprintf(FILE* stream, char const* format, va_list arguments) {
    return print(call_vfprintf, stream, format, arguments);
}
WEIR_EXPORT int __vfprintf_chk(FILE* stream, int level, char const* format, va_list arguments) {
    return print_checked(call_vfprintf, stream, level, format, arguments);
}

WEIR_CALL(STDIO, vprintf, write);
WEIR_EXPORT int vprintf(char const* format, va_list arguments) {
    return print(call_vprintf, stdout, format, arguments);
}
WEIR_EXPORT int __vprintf_chk(int level, char const* format, va_list arguments) {
    return print_checked(call_vprintf, stdout, level, format, arguments);
}

// These write to a descriptor directly.
WEIR_CALL(STDIO, vdprintf, write);
WEIR_EXPORT int vdprintf(int fd, char const* format, va_list arguments) {
    return on_descriptor(call_vdprintf, fd, 0, at_position(fd),
                         [&] { return next_vdprintf.next<decltype(&vdprintf)>()(fd, format, arguments); });
}
WEIR_EXPORT int __vdprintf_chk(int fd, int level, char const* format, va_list arguments) {
    using Function = int (*)(int, int, char const*, va_list);
    return on_descriptor(call_vdprintf, fd, 0, at_position(fd),
                         [&] { return next_vdprintf_chk.next<Function>()(fd, level, format, arguments); });
}
WEIR_EXPORT int dprintf(int fd, char const* format, ...) { WITH_ARGUMENTS(vdprintf(fd, format, arguments)); }
WEIR_EXPORT int __dprintf_chk(int fd, int level, char const* format, ...) {
    WITH_ARGUMENTS(__vdprintf_chk(fd, level, format, arguments));
}

WEIR_CALL(STDIO, fscanf, read);
WEIR_CALL(STDIO, scanf, read);
WEIR_CALL(STDIO, vfscanf, read);
WEIR_CALL(STDIO, vscanf, read);

/// The family in one C dialect. The labels are the C library's symbols, which its headers map other functions to.
#define SCANS(dialect, prefix, next)                                                                                   \
    WEIR_EXPORT int dialect##_fscanf(FILE*, char const*, ...) asm(prefix "fscanf");                                    \
    WEIR_EXPORT int dialect##_scanf(char const*, ...) asm(prefix "scanf");                                             \
    WEIR_EXPORT int dialect##_vfscanf(FILE*, char const*, va_list) asm(prefix "vfscanf");                              \
    WEIR_EXPORT int dialect##_vscanf(char const*, va_list) asm(prefix "vscanf");                                       \
    int dialect##_fscanf(FILE* stream, char const* format, ...) {                                                      \
        WITH_ARGUMENTS(scan(call_fscanf, next, stream, format, arguments));                                            \
    }                                                                                                                  \
    int dialect##_scanf(char const* format, ...) { WITH_ARGUMENTS(scan(call_scanf, next, stdin, format, arguments)); } \
    int dialect##_vfscanf(FILE* stream, char const* format, va_list arguments) {                                       \
        return scan(call_vfscanf, next, stream, format, arguments);                                                    \
    }                                                                                                                  \
    int dialect##_vscanf(char const* format, va_list arguments) {                                                      \
        return scan(call_vscanf, next, stdin, format, arguments);                                                      \
    }

SCANS(gnu, "", next_vfscanf)
SCANS(c99, "__isoc99_", next_vfscanf_99)
SCANS(c23, "__isoc23_", next_vfscanf_23)
WEIR_EXPORT int __vfscanf(FILE* stream, char const* format, va_list arguments) {
    return scan(call_vfscanf, next_vfscanf, stream, format, arguments);
}
