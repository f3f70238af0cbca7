// Directories, links, and the attributes of files.

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/time.h>
#include <sys/vfs.h>
#include <unistd.h>
#include <utime.h>

#include "trace/wrappers/wrap.hpp"

using namespace weir::trace;

/// The usual wrapper of a function of a path whose result shows failure.
#define ON_PATH(result, name, kind, parameters, directory, path, arguments) \
    ON_PATH_WITH_FLAGS(result, name, kind, parameters, directory, path, arguments, 0)

/// The same for one that acts on a descriptor, given an empty path and AT_EMPTY_PATH in its flags.
#define ON_PATH_WITH_FLAGS(result, name, kind, parameters, directory, path, arguments, flags) \
    WEIR_WRAP(POSIX, name, kind, result, parameters noexcept, arguments, on_name(call, directory, path, real, 0, flags))

ON_PATH(int, mkdir, other, (char const* path, mode_t mode), AT_FDCWD, path, (path, mode))
ON_PATH(int, mkdirat, other, (int at, char const* path, mode_t mode), at, path, (at, path, mode))
ON_PATH(int, rmdir, remove, (char const* path), AT_FDCWD, path, (path))
ON_PATH(int, mkfifo, other, (char const* path, mode_t mode), AT_FDCWD, path, (path, mode))
ON_PATH(int, mkfifoat, other, (int at, char const* path, mode_t mode), at, path, (at, path, mode))
ON_PATH(int, mknod, other, (char const* path, mode_t mode, dev_t device), AT_FDCWD, path, (path, mode, device))
ON_PATH(int, mknodat, other, (int at, char const* path, mode_t mode, dev_t device), at, path, (at, path, mode, device))

// The names that programs built with a C library before 2.33 call.
ON_PATH(int, __xmknod, other, (int version, char const* path, mode_t mode, dev_t* device), AT_FDCWD, path,
        (version, path, mode, device))
ON_PATH(int, __xmknodat, other, (int version, int at, char const* path, mode_t mode, dev_t* device), at, path,
        (version, at, path, mode, device))

ON_PATH(int, link, other, (char const* from, char const* to), AT_FDCWD, to, (from, to))
ON_PATH(int, linkat, other, (int from_at, char const* from, int at, char const* to, int flags), at, to,
        (from_at, from, at, to, flags))
ON_PATH(int, symlink, other, (char const* from, char const* to), AT_FDCWD, to, (from, to))
ON_PATH(int, symlinkat, other, (char const* from, int at, char const* to), at, to, (from, at, to))

// If the output overwrites the name's own memory, the name is lost. Here an empty name means the descriptor itself,
// even without a flag.
ON_PATH(ssize_t, readlink, stat, (char const* path, char* text, size_t room), AT_FDCWD, path == text ? nullptr : path,
        (path, text, room))
ON_PATH_WITH_FLAGS(ssize_t, readlinkat, stat, (int at, char const* path, char* text, size_t room), at,
                   path == text ? nullptr : path, (at, path, text, room), path == text ? 0 : AT_EMPTY_PATH)

ON_PATH(int, chmod, other, (char const* path, mode_t mode), AT_FDCWD, path, (path, mode))
ON_PATH(int, lchmod, other, (char const* path, mode_t mode), AT_FDCWD, path, (path, mode))
ON_PATH_WITH_FLAGS(int, fchmodat, other, (int at, char const* path, mode_t mode, int flags), at, path,
                   (at, path, mode, flags), flags)
ON_PATH(int, chown, other, (char const* path, uid_t user, gid_t group), AT_FDCWD, path, (path, user, group))
ON_PATH(int, lchown, other, (char const* path, uid_t user, gid_t group), AT_FDCWD, path, (path, user, group))
ON_PATH_WITH_FLAGS(int, fchownat, other, (int at, char const* path, uid_t user, gid_t group, int flags), at, path,
                   (at, path, user, group, flags), flags)
ON_PATH(int, utime, other, (char const* path, utimbuf const* times), AT_FDCWD, path, (path, times))
ON_PATH(int, utimes, other, (char const* path, timeval const* times), AT_FDCWD, path, (path, times))
ON_PATH(int, lutimes, other, (char const* path, timeval const* times), AT_FDCWD, path, (path, times))
ON_PATH_WITH_FLAGS(int, futimesat, other, (int at, char const* path, timeval const* times), at, path, (at, path, times),
                   path == nullptr ? AT_EMPTY_PATH : 0)
ON_PATH_WITH_FLAGS(int, utimensat, other, (int at, char const* path, timespec const* times, int flags), at, path,
                   (at, path, times, flags), flags)

ON_PATH(int, euidaccess, stat, (char const* path, int mode), AT_FDCWD, path, (path, mode))
ON_PATH(int, eaccess, stat, (char const* path, int mode), AT_FDCWD, path, (path, mode))
ON_PATH_WITH_FLAGS(int, faccessat, stat, (int at, char const* path, int mode, int flags), at, path,
                   (at, path, mode, flags), flags)
ON_PATH(int, statfs, stat, (char const* path, struct statfs* facts), AT_FDCWD, path, (path, facts))
ON_PATH(int, statvfs, stat, (char const* path, struct statvfs* facts), AT_FDCWD, path, (path, facts))
WEIR_ALIAS(int, __statfs, (char const*, struct statfs*) noexcept, statfs)
WEIR_ALIAS(int, statfs64, (char const*, struct statfs64*) noexcept, statfs)
WEIR_ALIAS(int, statvfs64, (char const*, struct statvfs64*) noexcept, statvfs)
ON_PATH_WITH_FLAGS(int, name_to_handle_at, stat, (int at, char const* path, file_handle* handle, int* mount, int flags),
                   at, path, (at, path, handle, mount, flags), flags)

ON_PATH(ssize_t, getxattr, stat, (char const* path, char const* name, void* value, size_t room), AT_FDCWD, path,
        (path, name, value, room))
ON_PATH(ssize_t, lgetxattr, stat, (char const* path, char const* name, void* value, size_t room), AT_FDCWD, path,
        (path, name, value, room))
ON_PATH(int, setxattr, other, (char const* path, char const* name, void const* value, size_t bytes, int flags),
        AT_FDCWD, path, (path, name, value, bytes, flags))
ON_PATH(int, lsetxattr, other, (char const* path, char const* name, void const* value, size_t bytes, int flags),
        AT_FDCWD, path, (path, name, value, bytes, flags))
ON_PATH(ssize_t, listxattr, stat, (char const* path, char* names, size_t room), AT_FDCWD, path, (path, names, room))
ON_PATH(ssize_t, llistxattr, stat, (char const* path, char* names, size_t room), AT_FDCWD, path, (path, names, room))
ON_PATH(int, removexattr, other, (char const* path, char const* name), AT_FDCWD, path, (path, name))
ON_PATH(int, lremovexattr, other, (char const* path, char const* name), AT_FDCWD, path, (path, name))

/// The same for an open file.
#define ON_OPEN_FILE(result, name, kind, parameters, arguments) \
    WEIR_WRAP(POSIX, name, kind, result, parameters noexcept, arguments, on_descriptor(call, fd, 0, nowhere, real))

ON_OPEN_FILE(int, fchmod, other, (int fd, mode_t mode), (fd, mode))
ON_OPEN_FILE(int, fchown, other, (int fd, uid_t user, gid_t group), (fd, user, group))
ON_OPEN_FILE(int, futimes, other, (int fd, timeval const* times), (fd, times))
ON_OPEN_FILE(int, futimens, other, (int fd, timespec const* times), (fd, times))
ON_OPEN_FILE(int, fstatfs, stat, (int fd, struct statfs* facts), (fd, facts))
ON_OPEN_FILE(int, fstatvfs, stat, (int fd, struct statvfs* facts), (fd, facts))
WEIR_ALIAS(int, fstatfs64, (int, struct statfs64*) noexcept, fstatfs)
WEIR_ALIAS(int, fstatvfs64, (int, struct statvfs64*) noexcept, fstatvfs)
ON_OPEN_FILE(ssize_t, fgetxattr, stat, (int fd, char const* name, void* value, size_t room), (fd, name, value, room))
ON_OPEN_FILE(int, fsetxattr, other, (int fd, char const* name, void const* value, size_t bytes, int flags),
             (fd, name, value, bytes, flags))
ON_OPEN_FILE(ssize_t, flistxattr, stat, (int fd, char* names, size_t room), (fd, names, room))
ON_OPEN_FILE(int, fremovexattr, other, (int fd, char const* name), (fd, name))

namespace {

/// Fills in the template: its file is known after the call.
template <class Real>
char* making_directory(Call& call, char const* path, Real real) {
    if (!recording()) [[unlikely]] {
        return bypass_recorder(real);
    }
    Recording recording(call);
    auto* const result = real();
    auto const now = ticks();
    auto const value = result == nullptr ? outcome(-1) : 0;
    auto const file = file_asked_for(AT_FDCWD, path, 0, value);
    file != 0 ? recording.end_at(now, file, -1, 0, value) : recording.forget();
    return result;
}

/// Makes a stream of a descriptor, which keeps its name.
template <class Real>
DIR* on_open_directory(Call& call, int descriptor, Real real) {
    if (!recording()) [[unlikely]] {
        return bypass_recorder(real);
    }
    auto const* const file = file_of(descriptor);
    if (file == nullptr) {
        return real();
    }
    auto const name = file->name;
    Recording recording(call);
    auto* const result = real();
    recording.end(name, -1, O_RDONLY | O_DIRECTORY, result == nullptr ? outcome(-1) : descriptor);
    return result;
}

/// An unrecorded call goes straight to the real function; `to_result` converts the result of `real` for the record.
template <class Real, class ToResult>
auto on_directory(Call& call, DIR* directory, Real real, ToResult to_result) {
    if (!recording()) [[unlikely]] {
        return bypass_recorder(real);
    }
    auto const* const file = file_of(dirfd(directory));
    if (file == nullptr) {
        return real();
    }
    auto const name = file->name;
    Recording recording(call);
    auto const result = real();
    recording.end(name, -1, 0, to_result(result));
    return result;
}

/// 1: there was an entry; 0: the end.
constexpr auto one_or_none = [](auto* entry) { return int64_t{entry != nullptr}; };
constexpr auto minus_error = [](int error) { return -int64_t{error}; };

}  // namespace

WEIR_WRAP(POSIX, mkdtemp, other, char*, (char* path) noexcept, (path), making_directory(call, path, real))
WEIR_WRAP(POSIX, opendir, open, DIR*, (char const* path), (path),
          opening(call, AT_FDCWD, path, O_RDONLY | O_DIRECTORY, real))
WEIR_WRAP(POSIX, fdopendir, open, DIR*, (int fd), (fd), on_open_directory(call, fd, real))

WEIR_WRAP(POSIX, readdir, stat, dirent*, (DIR * directory), (directory),
          on_directory(call, directory, real, one_or_none))
WEIR_ALIAS(dirent64*, readdir64, (DIR*), readdir)
WEIR_WRAP(POSIX, readdir_r, stat, int, (DIR * directory, dirent* entry, dirent** result), (directory, entry, result),
          on_directory(call, directory, real, minus_error))
WEIR_ALIAS(int, readdir64_r, (DIR*, dirent64*, dirent64**), readdir_r)
WEIR_WRAP(POSIX, closedir, close, int, (DIR * directory), (directory), closing(call, descriptor_of(directory), real))
