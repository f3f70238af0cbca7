// How descriptors come and go.

#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "trace/wrappers/opening.hpp"

using namespace weir::trace;

namespace {

/// The mode is there only where a file may be made.
mode_t mode_of(int flags, va_list arguments) {
    return (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(arguments, mode_t) : 0;
}

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

WEIR_CALL(POSIX, creat, open);
WEIR_EXPORT int creat(char const* path, mode_t mode) {
    return opening(call_creat, AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC,
                   [&] { return call_creat.next<decltype(&creat)>()(path, mode); });
}

WEIR_CALL(POSIX, mkstemp, open);
WEIR_EXPORT int mkstemp(char* path) {
    return opening(call_mkstemp, AT_FDCWD, path, O_RDWR | O_CREAT | O_EXCL,
                   [&] { return call_mkstemp.next<decltype(&mkstemp)>()(path); });
}

WEIR_CALL(POSIX, mkostemp, open);
WEIR_EXPORT int mkostemp(char* path, int flags) {
    return opening(call_mkostemp, AT_FDCWD, path, O_RDWR | O_CREAT | O_EXCL | flags,
                   [&] { return call_mkostemp.next<decltype(&mkostemp)>()(path, flags); });
}

WEIR_CALL(POSIX, mkstemps, open);
WEIR_EXPORT int mkstemps(char* path, int suffix) {
    return opening(call_mkstemps, AT_FDCWD, path, O_RDWR | O_CREAT | O_EXCL,
                   [&] { return call_mkstemps.next<decltype(&mkstemps)>()(path, suffix); });
}

WEIR_CALL(POSIX, mkostemps, open);
WEIR_EXPORT int mkostemps(char* path, int suffix, int flags) {
    return opening(call_mkostemps, AT_FDCWD, path, O_RDWR | O_CREAT | O_EXCL | flags,
                   [&] { return call_mkostemps.next<decltype(&mkostemps)>()(path, suffix, flags); });
}

WEIR_SAME(int, open64, (char const*, int, ...), open)
WEIR_SAME(int, openat64, (int, char const*, int, ...), openat)
WEIR_SAME(int, creat64, (char const*, mode_t), creat)
WEIR_SAME(int, mkstemp64, (char*), mkstemp)
WEIR_SAME(int, mkostemp64, (char*, int), mkostemp)
WEIR_SAME(int, mkstemps64, (char*, int), mkstemps)
WEIR_SAME(int, mkostemps64, (char*, int, int), mkostemps)

WEIR_EXPORT int __open_2(char const* path, int flags) { return open(path, flags); }
WEIR_EXPORT int __openat_2(int directory, char const* path, int flags) { return openat(directory, path, flags); }
WEIR_SAME(int, __open64_2, (char const*, int), __open_2)
WEIR_SAME(int, __openat64_2, (int, char const*, int), __openat_2)

WEIR_CALL(POSIX, close, close);
WEIR_EXPORT int close(int fd) {
    auto const real = [&] { return call_close.next<decltype(&close)>()(fd); };
    if (!recording()) [[unlikely]] {
        begin_process();
        return real();
    }
    auto const* const file = file_of(fd);
    auto const name = file == nullptr ? 0 : file->name;
    closed(fd);  // before: once it is closed, another thread may open the same number
    if (name == 0) {
        return real();
    }
    Recording recording(call_close);
    auto const result = real();
    recording.end(name, -1, 0, outcome(result));
    return result;
}

namespace {

/// Duplicates, and lets the new descriptor stand for the same file.
template <class Real>
int duplicating(Call& call, int from, Real real) {
    if (!recording()) [[unlikely]] {
        begin_process();
        return real();
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

}  // namespace

WEIR_CALL(POSIX, dup, open);
WEIR_EXPORT int dup(int fd) noexcept {
    return duplicating(call_dup, fd, [&] { return call_dup.next<decltype(&dup)>()(fd); });
}

WEIR_CALL(POSIX, dup2, open);
WEIR_EXPORT int dup2(int from, int to) noexcept {
    return duplicating(call_dup2, from, [&] { return call_dup2.next<decltype(&dup2)>()(from, to); });
}

WEIR_CALL(POSIX, dup3, open);
WEIR_EXPORT int dup3(int from, int to, int flags) noexcept {
    return duplicating(call_dup3, from, [&] { return call_dup3.next<decltype(&dup3)>()(from, to, flags); });
}

WEIR_CALL(POSIX, close_range, close);
WEIR_EXPORT int close_range(unsigned first, unsigned last, int flags) noexcept {
    constexpr int on_exec_only = 4;
    auto const real = [&] { return call_close_range.next<decltype(&close_range)>()(first, last, flags); };
    if (!recording()) [[unlikely]] {
        begin_process();
        return real();
    }
    Recording recording(call_close_range);
    auto const result = real();
    auto const now = ticks();
    if (result == 0 && (flags & on_exec_only) == 0) {
        closed_range(first, last);
    }
    recording.end_at(now, 0, -1, 0, outcome(result));
    return result;
}

WEIR_CALL(POSIX, closefrom, close);
WEIR_EXPORT void closefrom(int first) noexcept {
    if (!recording()) [[unlikely]] {
        begin_process();
        return call_closefrom.next<decltype(&closefrom)>()(first);
    }
    Recording recording(call_closefrom);
    call_closefrom.next<decltype(&closefrom)>()(first);
    auto const now = ticks();
    closed_range(first < 0 ? 0 : static_cast<unsigned>(first), ~0U);
    recording.end_at(now, 0, -1, 0, 0);
}

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
WEIR_SAME(int, fcntl64, (int, int, ...), fcntl)

WEIR_CALL(POSIX, shm_open, open);
WEIR_EXPORT int shm_open(char const* name, int flags, mode_t mode) {
    char path[300] = "/dev/shm/";
    strncat(path, name[0] == '/' ? name + 1 : name, 255);
    return opening(call_shm_open, AT_FDCWD, path, flags,
                   [&] { return call_shm_open.next<decltype(&shm_open)>()(name, flags, mode); });
}

WEIR_CALL(POSIX, open_by_handle_at, open);
WEIR_EXPORT int open_by_handle_at(int mount, file_handle* handle, int flags) {
    return opening(call_open_by_handle_at, AT_FDCWD, nullptr, flags,
                   [&] { return call_open_by_handle_at.next<decltype(&open_by_handle_at)>()(mount, handle, flags); });
}

// Names under which the C library has the same functions once more.
WEIR_SAME(int, __open, (char const*, int, ...), open)
WEIR_SAME(int, __open64, (char const*, int, ...), open)
WEIR_SAME(int, __close, (int), close)
WEIR_SAME(int, __dup2, (int, int) noexcept, dup2)
WEIR_SAME(int, __fcntl, (int, int, ...), fcntl)
