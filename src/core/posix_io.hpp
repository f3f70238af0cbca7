#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>

namespace weir {

/// The most bytes of one system call; Linux moves at most 0x7ffff000 per call.
inline constexpr std::size_t most_at_once = 1ULL << 30;

/// The result of a request at an offset of a file.
struct Moved {
    std::uint64_t bytes = 0;
    std::uint64_t calls = 0;  ///< number of system calls
    int error_number = 0;     ///< why fewer bytes moved than requested; 0: none missing, or end of file

    [[nodiscard]] bool failed() const { return error_number != 0; }
};

/// Continues after a short write, whose first call returned `done` (below 0: it failed with errno). Local, as all of
/// these.
Moved write_rest(int descriptor, std::uint64_t offset, std::span<std::byte const> data, std::int64_t done);
Moved read_rest(int descriptor, std::uint64_t offset, std::span<std::byte> data, std::int64_t done);

/// One system call, with as many bytes as it can move; below 0: it failed with errno.
std::int64_t write_once(int descriptor, std::uint64_t offset, std::span<std::byte const> data);
std::int64_t read_once(int descriptor, std::uint64_t offset, std::span<std::byte> data);

/// Writes all of the data at that offset, retrying interrupted and short writes. A device that accepts no more bytes is
/// full (ENOSPC).
inline Moved write_at(int descriptor, std::uint64_t offset, std::span<std::byte const> data) {
    auto const done = write_once(descriptor, offset, data);
    if (done == static_cast<std::int64_t>(data.size())) [[likely]] {
        return {data.size(), 1, 0};
    }
    return write_rest(descriptor, offset, data, done);
}

/// Reads up to end of file, with the same retries.
inline Moved read_at(int descriptor, std::uint64_t offset, std::span<std::byte> data) {
    auto const done = read_once(descriptor, offset, data);
    if (done == static_cast<std::int64_t>(data.size())) [[likely]] {
        return {data.size(), 1, 0};
    }
    return read_rest(descriptor, offset, data, done);
}

/// A descriptor, or below 0 with errno. With O_CREAT (not O_EXCL) it opens what another node makes meanwhile: a client
/// of a file system over the network that knew of no such file may answer EEXIST then (MooseFS 3.0.117).
int open_or_make(char const* path, int flags);

/// errno, or 0. Retries a sync interrupted by a signal, unless a stop is requested (EINTR).
int sync_file(int descriptor);

/// errno, or 0; the descriptor is closed in either case.
int close_file(int descriptor);

/// Syncs the directory that contains a file, so that a rename is durable. errno, or 0; some file systems cannot do
/// that, and need not.
int sync_directory_of(std::filesystem::path const& file);

/// Starts writeback of these bytes while the program continues, if the system can. A sync reports failures.
void start_writing_out(int descriptor, std::uint64_t from, std::uint64_t to);

}  // namespace weir
