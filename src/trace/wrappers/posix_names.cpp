// What is done to files by their names, and what is asked of them.

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "trace/recorder/wrap.hpp"

using namespace weir::trace;

WEIR_CALL(POSIX, stat, stat);
WEIR_EXPORT int stat(char const* path, struct stat* facts) noexcept {
    return on_name(call_stat, AT_FDCWD, path,
                   [&] { return call_stat.next<int (*)(char const*, struct stat*)>()(path, facts); });
}

WEIR_CALL(POSIX, lstat, stat);
WEIR_EXPORT int lstat(char const* path, struct stat* facts) noexcept {
    return on_name(call_lstat, AT_FDCWD, path,
                   [&] { return call_lstat.next<int (*)(char const*, struct stat*)>()(path, facts); });
}

WEIR_CALL(POSIX, fstat, stat);
WEIR_EXPORT int fstat(int fd, struct stat* facts) noexcept {
    return on_descriptor(call_fstat, fd, 0, nowhere,
                         [&] { return call_fstat.next<int (*)(int, struct stat*)>()(fd, facts); });
}

WEIR_CALL(POSIX, fstatat, stat);
WEIR_EXPORT int fstatat(int directory, char const* path, struct stat* facts, int flags) noexcept {
    auto const real = [&] {
        return call_fstatat.next<int (*)(int, char const*, struct stat*, int)>()(directory, path, facts, flags);
    };
    return on_name(call_fstatat, directory, path, real, 0, flags);
}

WEIR_CALL(POSIX, statx, stat);
WEIR_EXPORT int statx(int directory, char const* path, int flags, unsigned mask, struct statx* facts) noexcept {
    auto const real = [&] {
        return call_statx.next<int (*)(int, char const*, int, unsigned, struct statx*)>()(directory, path, flags, mask,
                                                                                          facts);
    };
    return on_name(call_statx, directory, path, real, 0, flags);
}

WEIR_SAME(int, stat64, (char const*, struct stat64*) noexcept, stat)
WEIR_SAME(int, lstat64, (char const*, struct stat64*) noexcept, lstat)
WEIR_SAME(int, fstat64, (int, struct stat64*) noexcept, fstat)
WEIR_SAME(int, __fstat64, (int, struct stat64*) noexcept, fstat)
WEIR_SAME(int, fstatat64, (int, char const*, struct stat64*, int) noexcept, fstatat)

// The names that programs built with a C library before 2.33 call.
WEIR_CALL(POSIX, __xstat, stat);
WEIR_EXPORT int __xstat(int version, char const* path, struct stat* facts) noexcept {
    return on_name(call___xstat, AT_FDCWD, path,
                   [&] { return call___xstat.next<int (*)(int, char const*, struct stat*)>()(version, path, facts); });
}

WEIR_CALL(POSIX, __lxstat, stat);
WEIR_EXPORT int __lxstat(int version, char const* path, struct stat* facts) noexcept {
    return on_name(call___lxstat, AT_FDCWD, path,
                   [&] { return call___lxstat.next<int (*)(int, char const*, struct stat*)>()(version, path, facts); });
}

WEIR_CALL(POSIX, __fxstat, stat);
WEIR_EXPORT int __fxstat(int version, int fd, struct stat* facts) noexcept {
    return on_descriptor(call___fxstat, fd, 0, nowhere,
                         [&] { return call___fxstat.next<int (*)(int, int, struct stat*)>()(version, fd, facts); });
}

WEIR_CALL(POSIX, __fxstatat, stat);
WEIR_EXPORT int __fxstatat(int version, int directory, char const* path, struct stat* facts, int flags) noexcept {
    auto const real = [&] {
        return call___fxstatat.next<int (*)(int, int, char const*, struct stat*, int)>()(version, directory, path,
                                                                                         facts, flags);
    };
    return on_name(call___fxstatat, directory, path, real, 0, flags);
}

WEIR_SAME(int, __xstat64, (int, char const*, struct stat*) noexcept, __xstat)
WEIR_SAME(int, __lxstat64, (int, char const*, struct stat*) noexcept, __lxstat)
WEIR_SAME(int, __fxstat64, (int, int, struct stat*) noexcept, __fxstat)
WEIR_SAME(int, __fxstatat64, (int, int, char const*, struct stat*, int) noexcept, __fxstatat)

WEIR_CALL(POSIX, access, stat);
WEIR_EXPORT int access(char const* path, int mode) noexcept {
    return on_name(call_access, AT_FDCWD, path, [&] { return call_access.next<decltype(&access)>()(path, mode); });
}

WEIR_CALL(POSIX, unlink, remove);
WEIR_EXPORT int unlink(char const* path) noexcept {
    return on_name(call_unlink, AT_FDCWD, path, [&] { return call_unlink.next<decltype(&unlink)>()(path); });
}

WEIR_CALL(POSIX, unlinkat, remove);
WEIR_EXPORT int unlinkat(int directory, char const* path, int flags) noexcept {
    return on_name(call_unlinkat, directory, path,
                   [&] { return call_unlinkat.next<decltype(&unlinkat)>()(directory, path, flags); });
}

WEIR_CALL(POSIX, remove, remove);
WEIR_EXPORT int remove(char const* path) noexcept {
    return on_name(call_remove, AT_FDCWD, path, [&] { return call_remove.next<decltype(&remove)>()(path); });
}

WEIR_CALL(POSIX, rename, rename);
WEIR_EXPORT int rename(char const* from, char const* to) noexcept {
    return on_name(call_rename, AT_FDCWD, to, [&] { return call_rename.next<decltype(&rename)>()(from, to); });
}

WEIR_CALL(POSIX, renameat, rename);
WEIR_EXPORT int renameat(int from_directory, char const* from, int to_directory, char const* to) noexcept {
    return on_name(call_renameat, to_directory, to,
                   [&] { return call_renameat.next<decltype(&renameat)>()(from_directory, from, to_directory, to); });
}

WEIR_CALL(POSIX, renameat2, rename);
WEIR_EXPORT int renameat2(int from_directory, char const* from, int to_directory, char const* to,
                          unsigned flags) noexcept {
    return on_name(call_renameat2, to_directory, to, [&] {
        return call_renameat2.next<decltype(&renameat2)>()(from_directory, from, to_directory, to, flags);
    });
}

WEIR_CALL(POSIX, shm_unlink, remove);
WEIR_EXPORT int shm_unlink(char const* name) {
    char path[300] = "/dev/shm/";
    strncat(path, name[0] == '/' ? name + 1 : name, 255);
    return on_name(call_shm_unlink, AT_FDCWD, path,
                   [&] { return call_shm_unlink.next<decltype(&shm_unlink)>()(name); });
}

WEIR_CALL(POSIX, truncate, resize);
WEIR_EXPORT int truncate(char const* path, off_t bytes) noexcept {
    return on_name(
        call_truncate, AT_FDCWD, path, [&] { return call_truncate.next<decltype(&truncate)>()(path, bytes); },
        static_cast<uint64_t>(bytes));
}
WEIR_SAME(int, truncate64, (char const*, off_t) noexcept, truncate)
