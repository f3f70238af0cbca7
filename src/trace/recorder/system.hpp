#pragma once

// System calls, past all wrappers: those of the recorder itself must not be recorded, nor found by another tool.

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace weir::trace::system {

/// The application's errno, as it was.
class KeepErrno {
  public:
    KeepErrno() : value_(errno) {}
    ~KeepErrno() { errno = value_; }
    KeepErrno(KeepErrno const&) = delete;
    KeepErrno& operator=(KeepErrno const&) = delete;

  private:
    int value_;
};

inline int open(char const* path, int flags, mode_t mode = 0644) {
    return static_cast<int>(syscall(SYS_openat, AT_FDCWD, path, flags | O_CLOEXEC, mode));
}
inline void close(int descriptor) { syscall(SYS_close, descriptor); }
inline ssize_t write(int descriptor, void const* data, size_t bytes) {
    return syscall(SYS_write, descriptor, data, bytes);
}
inline bool truncate(int descriptor, int64_t bytes) { return syscall(SYS_ftruncate, descriptor, bytes) == 0; }
inline int64_t position(int descriptor) { return syscall(SYS_lseek, descriptor, 0, SEEK_CUR); }
inline ssize_t readlink(char const* path, char* text, size_t room) {
    return syscall(SYS_readlinkat, AT_FDCWD, path, text, room);
}

/// Blocks of a file, really there: what is stored in them later cannot fail for want of space.
inline bool reserve(int descriptor, int64_t from, int64_t bytes) {
    if (syscall(SYS_fallocate, descriptor, 0, from, bytes) == 0) {
        return true;
    }
    if (errno != EOPNOTSUPP && errno != ENOSYS) {
        return false;
    }
    static char const zeros[4096] = {};
    for (int64_t done = 0; done < bytes;) {
        auto const n = syscall(SYS_pwrite64, descriptor, zeros, sizeof zeros, from + done);
        if (n <= 0) {
            return false;
        }
        done += n;
    }
    return true;
}

inline void* map_file(int descriptor, int64_t from, size_t bytes) {
    auto* const place = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, descriptor, from);
    return place == MAP_FAILED ? nullptr : place;
}

/// Memory of our own: the application's allocator may be anything.
inline void* map_memory(size_t bytes) {
    auto* const place =
        mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return place == MAP_FAILED ? nullptr : place;
}

}  // namespace weir::trace::system
