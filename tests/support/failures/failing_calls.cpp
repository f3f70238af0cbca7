// A library that comes before the C library, so that the calls of all others pass through it.

#include "support/failures/failing_calls.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdarg>
#include <cstdio>
#include <optional>

namespace weir::testing {
namespace {

std::optional<FailingCall> asked;
std::atomic<int> seen{0};
std::atomic<int> failures{0};

bool fails(char const* name, std::string const& path) {
    if (!asked || asked->name != name || path != asked->path || seen++ < asked->after) {
        return false;
    }
    ++failures;
    errno = asked->error_number;
    return true;
}

bool fails(char const* name, int fd) {
    if (!asked || asked->name != name) {
        return false;
    }
    char path[PATH_MAX];
    auto const link = "/proc/self/fd/" + std::to_string(fd);
    auto const length = ::readlink(link.c_str(), path, sizeof(path));
    return length > 0 && fails(name, std::string(path, static_cast<std::size_t>(length)));
}

template <class Function>
Function* own(char const* name) {
    return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

}  // namespace

FailingCalls::FailingCalls(FailingCall const& call) {
    seen = 0;
    failures = 0;
    asked = call;
}

FailingCalls::~FailingCalls() { asked.reset(); }

int FailingCalls::failed() const { return failures; }

}  // namespace weir::testing

using weir::testing::fails;
using weir::testing::own;

// NOLINTBEGIN(readability-inconsistent-declaration-parameter-name,cert-dcl50-cpp)
extern "C" {

int open(char const* path, int flags, ...) {
    va_list more;
    va_start(more, flags);
    auto const mode = va_arg(more, mode_t);
    va_end(more);
    return fails("open", path) ? -1 : own<int(char const*, int, ...)>("open")(path, flags, mode);
}

int open64(char const* path, int flags, ...) {
    va_list more;
    va_start(more, flags);
    auto const mode = va_arg(more, mode_t);
    va_end(more);
    return open(path, flags, mode);
}

FILE* fopen(char const* path, char const* mode) {
    return fails("open", path) ? nullptr : own<FILE*(char const*, char const*)>("fopen")(path, mode);
}

ssize_t read(int fd, void* data, size_t bytes) {
    return fails("read", fd) ? -1 : own<ssize_t(int, void*, size_t)>("read")(fd, data, bytes);
}

ssize_t pread(int fd, void* data, size_t bytes, off_t offset) {
    return fails("read", fd) ? -1 : own<ssize_t(int, void*, size_t, off_t)>("pread")(fd, data, bytes, offset);
}

ssize_t pread64(int fd, void* data, size_t bytes, off_t offset) { return pread(fd, data, bytes, offset); }

ssize_t preadv(int fd, iovec const* parts, int count, off_t offset) {
    return fails("read", fd) ? -1 : own<ssize_t(int, iovec const*, int, off_t)>("preadv")(fd, parts, count, offset);
}

ssize_t preadv64(int fd, iovec const* parts, int count, off_t offset) { return preadv(fd, parts, count, offset); }

ssize_t write(int fd, void const* data, size_t bytes) {
    return fails("write", fd) ? -1 : own<ssize_t(int, void const*, size_t)>("write")(fd, data, bytes);
}

ssize_t pwrite(int fd, void const* data, size_t bytes, off_t offset) {
    return fails("write", fd) ? -1 : own<ssize_t(int, void const*, size_t, off_t)>("pwrite")(fd, data, bytes, offset);
}

ssize_t pwritev(int fd, iovec const* parts, int count, off_t offset) {
    return fails("write", fd) ? -1 : own<ssize_t(int, iovec const*, int, off_t)>("pwritev")(fd, parts, count, offset);
}

int ftruncate(int fd, off_t length) noexcept {
    return fails("truncate", fd) ? -1 : own<int(int, off_t)>("ftruncate")(fd, length);
}

int fsync(int fd) { return fails("sync", fd) ? -1 : own<int(int)>("fsync")(fd); }

int fdatasync(int fd) { return fails("sync", fd) ? -1 : own<int(int)>("fdatasync")(fd); }

/// As the kernel does it: what is closed is closed, also where that fails.
int close(int fd) {
    auto const bad = fails("close", fd);
    auto const error_number = errno;
    auto const status = own<int(int)>("close")(fd);
    errno = bad ? error_number : errno;
    return bad ? -1 : status;
}

int fclose(FILE* file) {
    auto const bad = fails("close", ::fileno(file));
    auto const error_number = errno;
    auto const status = own<int(FILE*)>("fclose")(file);
    errno = bad ? error_number : errno;
    return bad ? EOF : status;
}

int unlink(char const* path) noexcept { return fails("unlink", path) ? -1 : own<int(char const*)>("unlink")(path); }
}
// NOLINTEND(readability-inconsistent-declaration-parameter-name,cert-dcl50-cpp)
