#pragma once

// System calls, past all wrappers: those of the recorder itself must not be recorded, nor found by another tool.

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
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

/// Opens one of the trace's files, which only its owner may read; also where the program has as many open as it may.
/// Neither a link nor a pipe that stands in the way is followed or waited for.
inline int open(char const* path, int flags) {
    constexpr int carefully = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
    auto const real = [&] { return static_cast<int>(syscall(SYS_openat, AT_FDCWD, path, flags | carefully, 0600)); };
    auto descriptor = real();
    rlimit limit{};
    if (descriptor < 0 && errno == EMFILE && syscall(SYS_prlimit64, 0, RLIMIT_NOFILE, nullptr, &limit) == 0 &&
        limit.rlim_cur < limit.rlim_max) {
        rlimit const more{limit.rlim_cur + 1, limit.rlim_max};
        syscall(SYS_prlimit64, 0, RLIMIT_NOFILE, &more, nullptr);
        descriptor = real();
        auto const error = errno;
        syscall(SYS_prlimit64, 0, RLIMIT_NOFILE, &limit, nullptr);
        errno = error;
    }
    return descriptor;
}

inline void close(int descriptor) { syscall(SYS_close, descriptor); }
inline ssize_t write(int descriptor, void const* data, size_t bytes) {
    return syscall(SYS_write, descriptor, data, bytes);
}
inline bool truncate(char const* path, int64_t bytes) { return syscall(SYS_truncate, path, bytes) == 0; }
inline void remove(char const* path) { syscall(SYS_unlinkat, AT_FDCWD, path, 0); }
inline int64_t size(int descriptor) { return syscall(SYS_lseek, descriptor, 0, SEEK_END); }
inline int64_t position(int descriptor) { return syscall(SYS_lseek, descriptor, 0, SEEK_CUR); }
inline ssize_t readlink(char const* path, char* text, size_t room) {
    return syscall(SYS_readlinkat, AT_FDCWD, path, text, room);
}

/// May the text of a name be read? The kernel looks at it in a call that fails in any case, and touches no file.
inline bool is_readable(char const* name) {
    return name != nullptr && (syscall(SYS_symlinkat, name, -1, "") == 0 || errno != EFAULT);
}

/// Repeats what a signal has interrupted.
template <class Call>
long patiently(Call call) {
    long result = 0;
    do {
        result = call();
    } while (result < 0 && errno == EINTR);
    return result;
}

/// May one of the trace's files become so long? Where the process has a bound (`ulimit -f`), the kernel does not only
/// refuse what is past it: it ends the program by a signal.
inline bool may_reach(int64_t bytes) {
    rlimit limit{};
    if (syscall(SYS_prlimit64, 0, RLIMIT_FSIZE, nullptr, &limit) != 0 || static_cast<rlim_t>(bytes) <= limit.rlim_cur) {
        return true;
    }
    errno = EFBIG;
    return false;
}

/// Writes to standard error; past a bound of files' sizes, nothing.
inline void tell(char const* text, size_t bytes) {
    constexpr int standard_error = 2;
    struct statx facts {};
    bool const is_file = syscall(SYS_statx, standard_error, "", AT_EMPTY_PATH, STATX_TYPE | STATX_SIZE, &facts) == 0 &&
                         S_ISREG(facts.stx_mode);
    auto const size = static_cast<int64_t>(facts.stx_size);
    auto const at = is_file ? position(standard_error) : 0;
    if (!is_file || may_reach((at > size ? at : size) + static_cast<int64_t>(bytes))) {
        write(standard_error, text, bytes);
    }
}

/// Blocks of a file, really there: what is stored in them later cannot fail for want of space. `from`: its end so far.
inline bool reserve(int descriptor, int64_t from, int64_t bytes) {
    if (!may_reach(from + bytes)) {
        return false;
    }
    if (patiently([&] { return syscall(SYS_fallocate, descriptor, 0, from, bytes); }) == 0) {
        return true;
    }
    if (errno != EOPNOTSUPP && errno != ENOSYS) {
        return false;
    }
    static char zeros[1 << 16];
    for (int64_t done = 0; done < bytes;) {
        auto const left = bytes - done;
        auto const most = left < int64_t{sizeof zeros} ? left : int64_t{sizeof zeros};
        auto const n = patiently([&] { return syscall(SYS_pwrite64, descriptor, zeros, most, from + done); });
        if (n <= 0) {
            return false;
        }
        done += n;
    }
    return true;
}

inline void* map(size_t bytes, int flags, int descriptor, int64_t from) {
    auto const place = syscall(SYS_mmap, nullptr, bytes, PROT_READ | PROT_WRITE, flags, descriptor, from);
    return place == -1 ? nullptr : reinterpret_cast<void*>(place);
}

inline void* map_file(int descriptor, int64_t from, size_t bytes) { return map(bytes, MAP_SHARED, descriptor, from); }

/// Memory of our own: the application's allocator may be anything.
inline void* map_memory(size_t bytes) { return map(bytes, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0); }

inline void unmap(void* place, size_t bytes) { syscall(SYS_munmap, place, bytes); }

}  // namespace weir::trace::system
