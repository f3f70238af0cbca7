#include "storage/write_error_interposer.hpp"

#include <dlfcn.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <numeric>
#include <span>
#include <utility>

namespace weir {
namespace {

std::optional<int>* watched = nullptr;

/// The next definition of this function: a tool's, or the C library's.
template <class Function>
Function* next(char const* name) {
    return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

bool of_the_disk(int error_number) {
    return error_number == ENOSPC || error_number == EDQUOT || error_number == EFBIG || error_number == EIO;
}

/// Records the error of a failed call, and returns `asked` as if it had succeeded.
template <class Result>
Result forgive(Result result, Result asked) {
    if (watched == nullptr || result >= 0 || !of_the_disk(errno)) [[likely]] {
        return result;
    }
    note_for_watch(errno);
    return asked;
}

ssize_t bytes_of(std::span<iovec const> parts) {
    return std::accumulate(parts.begin(), parts.end(), ssize_t{0},
                           [](ssize_t sum, iovec const& part) { return sum + static_cast<ssize_t>(part.iov_len); });
}

/// The same for a read, which then returns zeros. Not for read(2), with which libraries detect file formats and end of
/// file.
ssize_t forgive_read(ssize_t result, std::span<iovec const> parts) {
    if (result >= 0) [[likely]] {
        return result;
    }
    auto const forgiven = forgive(result, bytes_of(parts));
    for (auto const& part : parts) {
        if (forgiven >= 0) {
            std::memset(part.iov_base, 0, part.iov_len);
        }
    }
    return forgiven;
}

using ReadAt = ssize_t(int, void*, size_t, off_t);
using ReadPartsAt = ssize_t(int, iovec const*, int, off_t);
using WriteAt = ssize_t(int, void const*, size_t, off_t);
using WritePartsAt = ssize_t(int, iovec const*, int, off_t);

/// Writes the rest of a request after its first `done` bytes: the next call reports why it was short.
ssize_t finish(WriteAt* own, int fd, std::span<char const> data, off_t offset, ssize_t done) {
    auto const asked = static_cast<ssize_t>(data.size());
    while (watched != nullptr && done >= 0 && done < asked) {
        auto const rest = data.subspan(static_cast<size_t>(done));
        auto const more = own(fd, rest.data(), rest.size(), offset + done);
        if (more == 0) {
            break;
        }
        done = more < 0 ? more : done + more;
    }
    return forgive(done, asked);
}

ssize_t write_at(WriteAt* own, int fd, void const* data, size_t bytes, off_t offset) {
    return finish(own, fd, {static_cast<char const*>(data), bytes}, offset, own(fd, data, bytes, offset));
}

/// The same for a vectored request.
ssize_t write_parts_at(WritePartsAt* own, WriteAt* own_of_one, int fd, std::span<iovec const> parts, off_t offset) {
    auto const asked = bytes_of(parts);
    auto done = own(fd, parts.data(), static_cast<int>(parts.size()), offset);
    if (watched == nullptr || done < 0 || done == asked) [[likely]] {
        return forgive(done, asked);
    }
    for (auto const& part : parts) {
        auto const length = static_cast<ssize_t>(part.iov_len);
        auto const here = std::min(done, length);
        if (finish(own_of_one, fd, {static_cast<char const*>(part.iov_base), part.iov_len}, offset, here) < 0) {
            return -1;
        }
        done -= here;
        offset += length;
    }
    return asked;
}

}  // namespace

WriteWatch::WriteWatch(std::optional<int>& error_number) { watched = &error_number; }

WriteWatch::~WriteWatch() { watched = nullptr; }

bool is_watching() { return watched != nullptr; }

void note_for_watch(int error_number) {
    if (!*watched) {
        *watched = error_number;
    }
}

char const* advice_on_file(int error_number) {
    switch (error_number) {
        case ENOSPC:
            return "Free space, or write less.";
        case EDQUOT:
            return "Your quota is used up: free space, or write less.";
        case EFBIG:
            return "Raise the limit on file sizes (ulimit -f), or write less.";
        case EMFILE:
        case ENFILE:
            return "Raise the limit on open files (ulimit -n), or use fewer ranks per node.";
        case ENOENT:
            return "Check that all nodes see the directory, and that the file was written before it is read.";
        case EACCES:
        case EPERM:
        case EROFS:
            return "Choose a directory that you may write to.";
        case ELOOP:
            return "It is a link, which Weir does not follow: move it away, or name another directory with dir.";
        case EISDIR:
        case ENOTDIR:
            return "Check the directory and its file system.";
        default:
            return "Look into the system's log: the device or the file system failed.";
    }
}

Error watched_error(std::string problem, int error_number) {
    if (error_number == failed_elsewhere) {
        return Error({std::move(problem), "it failed on another rank", "", ExitCode::fine});
    }
    return system_error(std::move(problem), error_number, advice_on_file(error_number));
}

}  // namespace weir

// Both names of each: libraries are built with either. The C library's names of parameters are reserved ones.
// NOLINTBEGIN(readability-inconsistent-declaration-parameter-name)
extern "C" {

ssize_t pwrite(int fd, void const* data, size_t bytes, off_t offset) {
    static auto* const own = weir::next<weir::WriteAt>("pwrite");
    return weir::write_at(own, fd, data, bytes, offset);
}

ssize_t pwrite64(int fd, void const* data, size_t bytes, off_t offset) { return pwrite(fd, data, bytes, offset); }

ssize_t pwritev(int fd, iovec const* parts, int count, off_t offset) {
    static auto* const own = weir::next<weir::WritePartsAt>("pwritev");
    static auto* const own_of_one = weir::next<weir::WriteAt>("pwrite");
    return weir::write_parts_at(own, own_of_one, fd, {parts, static_cast<size_t>(count)}, offset);
}

ssize_t pwritev64(int fd, iovec const* parts, int count, off_t offset) { return pwritev(fd, parts, count, offset); }

ssize_t write(int fd, void const* data, size_t bytes) {
    static auto* const own = weir::next<ssize_t(int, void const*, size_t)>("write");
    return weir::forgive(own(fd, data, bytes), static_cast<ssize_t>(bytes));
}

ssize_t pread(int fd, void* data, size_t bytes, off_t offset) {
    static auto* const own = weir::next<weir::ReadAt>("pread");
    iovec const whole{data, bytes};
    return weir::forgive_read(own(fd, data, bytes, offset), {&whole, 1});
}

ssize_t pread64(int fd, void* data, size_t bytes, off_t offset) { return pread(fd, data, bytes, offset); }

ssize_t preadv(int fd, iovec const* parts, int count, off_t offset) {
    static auto* const own = weir::next<weir::ReadPartsAt>("preadv");
    return weir::forgive_read(own(fd, parts, count, offset), {parts, static_cast<size_t>(count)});
}

ssize_t preadv64(int fd, iovec const* parts, int count, off_t offset) { return preadv(fd, parts, count, offset); }

int ftruncate(int fd, off_t length) noexcept {
    static auto* const own = weir::next<int(int, off_t)>("ftruncate");
    return weir::forgive(own(fd, length), 0);
}

int ftruncate64(int fd, off_t length) noexcept { return ftruncate(fd, length); }

int fsync(int fd) {
    static auto* const own = weir::next<int(int)>("fsync");
    return weir::forgive(own(fd), 0);
}

/// The descriptor is closed in any case; if space is allocated late, its lack is reported here.
int close(int fd) {
    static auto* const own = weir::next<int(int)>("close");
    return weir::forgive(own(fd), 0);
}

int fdatasync(int fd) {
    static auto* const own = weir::next<int(int)>("fdatasync");
    return weir::forgive(own(fd), 0);
}
}
// NOLINTEND(readability-inconsistent-declaration-parameter-name)
