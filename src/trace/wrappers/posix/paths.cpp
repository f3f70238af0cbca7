// stat, access, remove, rename, and truncate: calls by path.

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "trace/wrappers/wrap.hpp"

using namespace weir::trace;

WEIR_WRAP(POSIX, stat, stat, int, (char const* path, struct stat* facts) noexcept, (path, facts),
          on_name(call, AT_FDCWD, path, real))
WEIR_WRAP(POSIX, lstat, stat, int, (char const* path, struct stat* facts) noexcept, (path, facts),
          on_name(call, AT_FDCWD, path, real))
WEIR_WRAP(POSIX, fstat, stat, int, (int fd, struct stat* facts) noexcept, (fd, facts),
          on_descriptor(call, fd, 0, nowhere, real))
WEIR_WRAP(POSIX, fstatat, stat, int, (int directory, char const* path, struct stat* facts, int flags) noexcept,
          (directory, path, facts, flags), on_name(call, directory, path, real, 0, flags))
WEIR_WRAP(POSIX, statx, stat, int,
          (int directory, char const* path, int flags, unsigned mask, struct statx* facts) noexcept,
          (directory, path, flags, mask, facts), on_name(call, directory, path, real, 0, flags))

WEIR_ALIAS(int, stat64, (char const*, struct stat64*) noexcept, stat)
WEIR_ALIAS(int, lstat64, (char const*, struct stat64*) noexcept, lstat)
WEIR_ALIAS(int, fstat64, (int, struct stat64*) noexcept, fstat)
WEIR_ALIAS(int, __fstat64, (int, struct stat64*) noexcept, fstat)
WEIR_ALIAS(int, fstatat64, (int, char const*, struct stat64*, int) noexcept, fstatat)

// The names that programs built with a C library before 2.33 call.
WEIR_WRAP(POSIX, __xstat, stat, int, (int version, char const* path, struct stat* facts) noexcept,
          (version, path, facts), on_name(call, AT_FDCWD, path, real))
WEIR_WRAP(POSIX, __lxstat, stat, int, (int version, char const* path, struct stat* facts) noexcept,
          (version, path, facts), on_name(call, AT_FDCWD, path, real))
WEIR_WRAP(POSIX, __fxstat, stat, int, (int version, int fd, struct stat* facts) noexcept, (version, fd, facts),
          on_descriptor(call, fd, 0, nowhere, real))
WEIR_WRAP(POSIX, __fxstatat, stat, int,
          (int version, int directory, char const* path, struct stat* facts, int flags) noexcept,
          (version, directory, path, facts, flags), on_name(call, directory, path, real, 0, flags))

WEIR_ALIAS(int, __xstat64, (int, char const*, struct stat*) noexcept, __xstat)
WEIR_ALIAS(int, __lxstat64, (int, char const*, struct stat*) noexcept, __lxstat)
WEIR_ALIAS(int, __fxstat64, (int, int, struct stat*) noexcept, __fxstat)
WEIR_ALIAS(int, __fxstatat64, (int, int, char const*, struct stat*, int) noexcept, __fxstatat)
WEIR_WRAP(POSIX, access, stat, int, (char const* path, int mode) noexcept, (path, mode),
          on_name(call, AT_FDCWD, path, real))
WEIR_WRAP(POSIX, unlink, remove, int, (char const* path) noexcept, (path), on_name(call, AT_FDCWD, path, real))
WEIR_WRAP(POSIX, unlinkat, remove, int, (int directory, char const* path, int flags) noexcept, (directory, path, flags),
          on_name(call, directory, path, real))
WEIR_WRAP(POSIX, remove, remove, int, (char const* path) noexcept, (path), on_name(call, AT_FDCWD, path, real))
namespace {

/// What it renames may be a directory.
template <class Real>
int renaming(Call& call, int directory, char const* to, Real real) {
    auto const result = on_name(call, directory, to, real);
    if (result == 0) {
        names_changed();
    }
    return result;
}

}  // namespace

WEIR_WRAP(POSIX, rename, rename, int, (char const* from, char const* to) noexcept, (from, to),
          renaming(call, AT_FDCWD, to, real))
WEIR_WRAP(POSIX, renameat, rename, int,
          (int from_directory, char const* from, int to_directory, char const* to) noexcept,
          (from_directory, from, to_directory, to), renaming(call, to_directory, to, real))
WEIR_WRAP(POSIX, renameat2, rename, int,
          (int from_directory, char const* from, int to_directory, char const* to, unsigned flags) noexcept,
          (from_directory, from, to_directory, to, flags), renaming(call, to_directory, to, real))

WEIR_CALL(POSIX, shm_unlink, remove);
WEIR_EXPORT int shm_unlink(char const* name) {
    char path[300] = "/dev/shm/";
    strncat(path, name[0] == '/' ? name + 1 : name, 255);
    return on_name(call_shm_unlink, AT_FDCWD, path,
                   [&] { return call_shm_unlink.next<decltype(&shm_unlink)>()(name); });
}

WEIR_WRAP(POSIX, truncate, resize, int, (char const* path, off_t bytes) noexcept, (path, bytes),
          on_name(call, AT_FDCWD, path, real, static_cast<uint64_t>(bytes)))
WEIR_ALIAS(int, truncate64, (char const*, off_t) noexcept, truncate)
