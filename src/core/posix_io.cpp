#include "core/posix_io.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "core/interrupt.hpp"

namespace weir {
namespace {

/// Repeats `once` until all bytes have moved, a call fails, or one moves nothing.
template <class Byte, class Once>
Moved rest(std::uint64_t offset, std::span<Byte> data, std::int64_t done, int when_nothing, Once once) {
    Moved moved{0, 1, 0};
    while (true) {
        if (done > 0) {
            moved.bytes += static_cast<std::uint64_t>(done);
            if (moved.bytes == data.size()) {
                return moved;
            }
        } else if (done == 0 || errno != EINTR) {
            moved.error_number = done == 0 ? when_nothing : errno;
            return moved;
        }
        done = once(offset + moved.bytes, data.subspan(moved.bytes));
        ++moved.calls;
    }
}

}  // namespace

std::int64_t write_once(int descriptor, std::uint64_t offset, std::span<std::byte const> data) {
    return ::pwrite(descriptor, data.data(), std::min(data.size(), most_at_once), static_cast<off_t>(offset));
}

std::int64_t read_once(int descriptor, std::uint64_t offset, std::span<std::byte> data) {
    return ::pread(descriptor, data.data(), std::min(data.size(), most_at_once), static_cast<off_t>(offset));
}

Moved write_rest(int descriptor, std::uint64_t offset, std::span<std::byte const> data, std::int64_t done) {
    return rest(offset, data, done, ENOSPC,
                [&](std::uint64_t at, auto what) { return write_once(descriptor, at, what); });
}

Moved read_rest(int descriptor, std::uint64_t offset, std::span<std::byte> data, std::int64_t done) {
    return rest(offset, data, done, 0, [&](std::uint64_t at, auto what) { return read_once(descriptor, at, what); });
}

int open_or_make(char const* path, int flags) {
    constexpr mode_t permissions = 0666;
    constexpr int most_turns = 8;
    auto descriptor = ::open(path, flags, permissions);
    for (int turn = 0; descriptor < 0 && errno == EEXIST && (flags & O_EXCL) == 0 && turn < most_turns; ++turn) {
        descriptor = ::open(path, flags & ~O_CREAT);
        if (descriptor < 0 && errno == ENOENT) {
            descriptor = ::open(path, flags, permissions);
        }
    }
    return descriptor;
}

int sync_file(int descriptor) {
    while (::fsync(descriptor) != 0) {
        if (errno != EINTR || stop_requested.load(std::memory_order_relaxed)) {
            return errno;
        }
    }
    return 0;
}

int sync_directory_of(std::filesystem::path const& file) {
    auto const directory = file.has_parent_path() ? file.parent_path() : std::filesystem::path(".");
    auto const descriptor = ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    auto const failed = descriptor < 0 || (::fsync(descriptor) != 0 && errno != EINVAL && errno != EBADF);
    auto const error_number = failed ? errno : 0;
    if (descriptor >= 0) {
        ::close(descriptor);
    }
    return error_number;
}

int close_file(int descriptor) {
    // After EINTR the descriptor is closed, on Linux, and its number may already be reused.
    return ::close(descriptor) != 0 && errno != EINTR ? errno : 0;
}

void start_writing_out([[maybe_unused]] int descriptor, [[maybe_unused]] std::uint64_t from,
                       [[maybe_unused]] std::uint64_t to) {
#ifdef __linux__
    static_cast<void>(
        ::sync_file_range(descriptor, static_cast<off_t>(from), static_cast<off_t>(to - from), SYNC_FILE_RANGE_WRITE));
#endif
}

}  // namespace weir
