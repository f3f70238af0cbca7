// Calls that open, duplicate, and close descriptors.

#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "trace/wrappers/wrap.hpp"

using namespace weir::trace;

namespace {

/// The mode argument exists only if a file may be created.
mode_t mode_of(int flags, va_list arguments) {
    return (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(arguments, mode_t) : 0;
}

/// Duplicates; the new descriptor refers to the same open file.
template <class Real>
int duplicating(Call& call, int from, Real real) {
    if (!recording()) [[unlikely]] {
        return bypass_recorder(real);
    }
    auto const* const file = file_of(from);
    auto const name = file == nullptr ? 0 : file->name;
    Recording recording(call);
    auto const to = real();
    auto const now = ticks();
    if (to >= 0) {
        duplicated(from, to);
    }
    name != 0 ? recording.end_at(now, name, -1, 0, outcome(to)) : recording.forget();
    return to;
}

/// Closes descriptors, and removes them from the table.
template <class Real>
int closing_range(Call& call, unsigned first, unsigned last, bool at_once, Real real) {
    if (!recording()) [[unlikely]] {
        return bypass_recorder(real);
    }
    Recording recording(call);
    auto const result = real();
    auto const now = ticks();
    if (result == 0 && at_once) {
        closed_range(first, last);
    }
    recording.end_at(now, 0, -1, 0, outcome(result));
    return result;
}

constexpr int on_exec_only = 4;

}  // namespace

WEIR_CALL(POSIX, open, open);
WEIR_EXPORT int open(char const* path, int flags, ...) {
    va_list arguments;
    va_start(arguments, flags);
    auto const mode = mode_of(flags, arguments);
    va_end(arguments);
    return opening(call_open, AT_FDCWD, path, flags,
                   [&] { return call_open.next<decltype(&open)>()(path, flags, mode); });
}

WEIR_CALL(POSIX, openat, open);
WEIR_EXPORT int openat(int directory, char const* path, int flags, ...) {
    va_list arguments;
    va_start(arguments, flags);
    auto const mode = mode_of(flags, arguments);
    va_end(arguments);
    return opening(call_openat, directory, path, flags,
                   [&] { return call_openat.next<decltype(&openat)>()(directory, path, flags, mode); });
}

WEIR_WRAP(POSIX, creat, open, int, (char const* path, mode_t mode), (path, mode),
          opening(call, AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, real))
WEIR_WRAP(POSIX, mkstemp, open, int, (char* path), (path),
          opening(call, AT_FDCWD, path, O_RDWR | O_CREAT | O_EXCL, real))
WEIR_WRAP(POSIX, mkostemp, open, int, (char* path, int flags), (path, flags),
          opening(call, AT_FDCWD, path, O_RDWR | O_CREAT | O_EXCL | flags, real))
WEIR_WRAP(POSIX, mkstemps, open, int, (char* path, int suffix), (path, suffix),
          opening(call, AT_FDCWD, path, O_RDWR | O_CREAT | O_EXCL, real))
WEIR_WRAP(POSIX, mkostemps, open, int, (char* path, int suffix, int flags), (path, suffix, flags),
          opening(call, AT_FDCWD, path, O_RDWR | O_CREAT | O_EXCL | flags, real))

WEIR_ALIAS(int, open64, (char const*, int, ...), open)
WEIR_ALIAS(int, openat64, (int, char const*, int, ...), openat)
WEIR_ALIAS(int, creat64, (char const*, mode_t), creat)
WEIR_ALIAS(int, mkstemp64, (char*), mkstemp)
WEIR_ALIAS(int, mkostemp64, (char*, int), mkostemp)
WEIR_ALIAS(int, mkstemps64, (char*, int), mkstemps)
WEIR_ALIAS(int, mkostemps64, (char*, int, int), mkostemps)

WEIR_EXPORT int __open_2(char const* path, int flags) { return open(path, flags); }
WEIR_EXPORT int __openat_2(int directory, char const* path, int flags) { return openat(directory, path, flags); }
WEIR_ALIAS(int, __open64_2, (char const*, int), __open_2)
WEIR_ALIAS(int, __openat64_2, (int, char const*, int), __openat_2)
WEIR_WRAP(POSIX, close, close, int, (int fd), (fd), closing(call, fd, real))

WEIR_WRAP(POSIX, dup, open, int, (int fd) noexcept, (fd), duplicating(call, fd, real))
WEIR_WRAP(POSIX, dup2, open, int, (int from, int to) noexcept, (from, to), duplicating(call, from, real))
WEIR_WRAP(POSIX, dup3, open, int, (int from, int to, int flags) noexcept, (from, to, flags),
          duplicating(call, from, real))

WEIR_WRAP(POSIX, close_range, close, int, (unsigned first, unsigned last, int flags) noexcept, (first, last, flags),
          closing_range(call, first, last, (flags & on_exec_only) == 0, real))
WEIR_WRAP(POSIX, closefrom, close, void, (int first) noexcept, (first),
          static_cast<void>(closing_range(call, first < 0 ? 0 : static_cast<unsigned>(first), ~0U, true,
                                          zero_after(real))))

WEIR_CALL(POSIX, fcntl, open);
WEIR_EXPORT int fcntl(int fd, int command, ...) {
    va_list arguments;
    va_start(arguments, command);
    auto* const argument = va_arg(arguments, void*);
    va_end(arguments);
    auto const real = [&] { return call_fcntl.next<decltype(&fcntl)>()(fd, command, argument); };
    bool const duplicates = command == F_DUPFD || command == F_DUPFD_CLOEXEC;
    if (duplicates) {
        return duplicating(call_fcntl, fd, real);
    }
    auto const result = real();
    if (command == F_SETFL && result == 0 && recording()) {
        flags_changed(fd, static_cast<int>(reinterpret_cast<intptr_t>(argument)));
    }
    return result;
}
WEIR_ALIAS(int, fcntl64, (int, int, ...), fcntl)

WEIR_CALL(POSIX, shm_open, open);
WEIR_EXPORT int shm_open(char const* name, int flags, mode_t mode) {
    char path[300] = "/dev/shm/";
    strncat(path, name[0] == '/' ? name + 1 : name, 255);
    return opening(call_shm_open, AT_FDCWD, path, flags,
                   [&] { return call_shm_open.next<decltype(&shm_open)>()(name, flags, mode); });
}

WEIR_WRAP(POSIX, open_by_handle_at, open, int, (int mount, file_handle* handle, int flags), (mount, handle, flags),
          opening(call, AT_FDCWD, nullptr, flags, real))

// The C library's other names for the same functions.
WEIR_ALIAS(int, __open, (char const*, int, ...), open)
WEIR_ALIAS(int, __open64, (char const*, int, ...), open)
WEIR_ALIAS(int, __close, (int), close)
WEIR_ALIAS(int, __dup2, (int, int) noexcept, dup2)
WEIR_ALIAS(int, __fcntl, (int, int, ...), fcntl)
