#pragma once

// System calls that bypass all wrappers: the recorder's own must be recorded neither by itself nor by another tool.

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace weir::trace::system {

#if defined(__x86_64__)
/// Like the C library's syscall(), which is wrapped.
template <class... Words>
long call(long number, Words... words) {
    constexpr size_t most = 6;
    static_assert(sizeof...(words) <= most);
    long const given[most] = {(long)words...};
    register long fourth asm("r10") = given[3];
    register long fifth asm("r8") = given[4];
    register long sixth asm("r9") = given[5];
    long result = number;
    asm volatile("syscall"
                 : "+a"(result)
                 : "D"(given[0]), "S"(given[1]), "d"(given[2]), "r"(fourth), "r"(fifth), "r"(sixth)
                 : "rcx", "r11", "memory");
    if (result < 0 && result > -4096) {
        errno = static_cast<int>(-result);
        return -1;
    }
    return result;
}
#else
template <class... Words>
long call(long number, Words... words) {
    return ::syscall(number, words...);
}
#endif

/// Restores the application's errno.
class KeepErrno {
  public:
    KeepErrno() : value_(errno) {}
    ~KeepErrno() { errno = value_; }
    KeepErrno(KeepErrno const&) = delete;
    KeepErrno& operator=(KeepErrno const&) = delete;

  private:
    int value_;
};

class Lock {
  public:
    explicit Lock(pthread_mutex_t& mutex) : mutex_(mutex) { pthread_mutex_lock(&mutex_); }
    ~Lock() { pthread_mutex_unlock(&mutex_); }
    Lock(Lock const&) = delete;
    Lock& operator=(Lock const&) = delete;

  private:
    pthread_mutex_t& mutex_;
};

extern int64_t own_bytes[2];  ///< bytes read and written, which the kernel counts with the program's
extern bool is_cut_off;       ///< the trace's files are inaccessible: names mean other files, or none

inline long count_own_bytes(int direction, long bytes) {
    if (bytes > 0) {
        __atomic_fetch_add(&own_bytes[direction], bytes, __ATOMIC_RELAXED);
    }
    return bytes;
}

inline void close(int descriptor) { call(SYS_close, descriptor); }

/// Opens one of the trace's files, readable only by its owner; works also at the limit of open files. Neither follows a
/// symbolic link nor blocks on a pipe of that name.
inline int open(char const* path, int flags) {
    constexpr int carefully = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
    if (is_cut_off) {
        errno = ENOLINK;
        return -1;
    }
    auto const real = [&] { return static_cast<int>(call(SYS_openat, AT_FDCWD, path, flags | carefully, 0600)); };
    auto descriptor = real();
    rlimit limit{};
    if (descriptor < 0 && errno == EMFILE && call(SYS_prlimit64, 0, RLIMIT_NOFILE, nullptr, &limit) == 0 &&
        limit.rlim_cur < limit.rlim_max) {
        rlimit const more{limit.rlim_cur + 1, limit.rlim_max};
        call(SYS_prlimit64, 0, RLIMIT_NOFILE, &more, nullptr);
        descriptor = real();
        auto const error = errno;
        call(SYS_prlimit64, 0, RLIMIT_NOFILE, &limit, nullptr);
        errno = error;
    }
    return descriptor;
}

inline ssize_t write(int descriptor, void const* data, size_t bytes) {
    return count_own_bytes(1, call(SYS_write, descriptor, data, bytes));
}
inline ssize_t write_at(int descriptor, void const* data, size_t bytes, int64_t at) {
    return count_own_bytes(1, call(SYS_pwrite64, descriptor, data, bytes, at));
}

/// The beginning of a file outside the trace.
inline ssize_t read_file(char const* path, char* text, size_t room) {
    auto const file = static_cast<int>(call(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    auto const length = file < 0 ? -1 : count_own_bytes(0, call(SYS_read, file, text, room));
    if (file >= 0) {
        close(file);
    }
    return length;
}
inline bool truncate(char const* path, int64_t bytes) { return call(SYS_truncate, path, bytes) == 0; }
inline void remove(char const* path) { call(SYS_unlinkat, AT_FDCWD, path, 0); }
inline int64_t size(int descriptor) { return call(SYS_lseek, descriptor, 0, SEEK_END); }
inline int64_t position(int descriptor) { return call(SYS_lseek, descriptor, 0, SEEK_CUR); }
inline ssize_t readlink(char const* path, char* text, size_t room) {
    return call(SYS_readlinkat, AT_FDCWD, path, text, room);
}

inline bool is_without_proc() { return call(SYS_faccessat, AT_FDCWD, "/proc/self", F_OK) != 0; }

/// Is the text of a name readable? The kernel checks in a call that always fails, and accesses no file.
inline bool is_readable(char const* name) {
    return name != nullptr && (call(SYS_symlinkat, name, -1, "") == 0 || errno != EFAULT);
}

/// Retries a call interrupted by a signal.
template <class Call>
long retry_if_interrupted(Call call) {
    long result = 0;
    do {
        result = call();
    } while (result < 0 && errno == EINTR);
    return result;
}

/// May one of the trace's files grow to this length? Beyond the process's file size limit (`ulimit -f`), the kernel not
/// only refuses: it kills the program by a signal.
inline bool may_reach(int64_t bytes) {
    rlimit limit{};
    if (call(SYS_prlimit64, 0, RLIMIT_FSIZE, nullptr, &limit) != 0 || static_cast<rlim_t>(bytes) <= limit.rlim_cur) {
        return true;
    }
    errno = EFBIG;
    return false;
}

/// Writes to standard error; nothing beyond the file size limit.
inline void write_to_stderr(char const* text, size_t bytes) {
    constexpr int standard_error = 2;
    struct statx facts {};
    bool const is_file = call(SYS_statx, standard_error, "", AT_EMPTY_PATH, STATX_TYPE | STATX_SIZE, &facts) == 0 &&
                         S_ISREG(facts.stx_mode);
    auto const size = static_cast<int64_t>(facts.stx_size);
    auto const at = is_file ? position(standard_error) : 0;
    if (!is_file || may_reach((at > size ? at : size) + static_cast<int64_t>(bytes))) {
        write(standard_error, text, bytes);
    }
}

/// Allocates blocks of a file, so that later stores to them cannot fail for lack of space. `from`: its current end.
inline bool reserve(int descriptor, int64_t from, int64_t bytes) {
    if (!may_reach(from + bytes)) {
        return false;
    }
    if (retry_if_interrupted([&] { return call(SYS_fallocate, descriptor, 0, from, bytes); }) == 0) {
        return true;
    }
    if (errno != EOPNOTSUPP && errno != ENOSYS) {
        return false;
    }
    static char zeros[1 << 16];
    for (int64_t done = 0; done < bytes;) {
        auto const left = bytes - done;
        auto const most = left < int64_t{sizeof zeros} ? left : int64_t{sizeof zeros};
        auto const n =
            retry_if_interrupted([&] { return write_at(descriptor, zeros, static_cast<size_t>(most), from + done); });
        if (n <= 0) {
            return false;
        }
        done += n;
    }
    return true;
}

inline void* map(size_t bytes, int flags, int descriptor, int64_t from) {
    auto const place = call(SYS_mmap, nullptr, bytes, PROT_READ | PROT_WRITE, flags, descriptor, from);
    return place == -1 ? nullptr : reinterpret_cast<void*>(place);
}

/// When memory gets its pages: one by one when touched, or all at once, which takes a fraction of the time a page.
enum class PageTable : int { when_touched = 0, at_once = MAP_POPULATE };

inline void* map_file(int descriptor, int64_t from, size_t bytes, PageTable pages) {
    return map(bytes, MAP_SHARED | static_cast<int>(pages), descriptor, from);
}

/// The recorder's own memory: the application's allocator may be anything.
inline void* map_memory(size_t bytes, PageTable pages = PageTable::when_touched) {
    return map(bytes, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | static_cast<int>(pages), -1, 0);
}

inline void unmap(void* place, size_t bytes) { call(SYS_munmap, place, bytes); }

}  // namespace weir::trace::system
