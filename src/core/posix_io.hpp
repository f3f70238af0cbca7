#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>

namespace weir {

/// A call of the system moves no more than this; Linux takes 0x7ffff000 bytes at once.
inline constexpr std::size_t most_at_once = 1ULL << 30;

/// What became of a request at an offset of a file.
struct Moved {
    std::uint64_t bytes = 0;
    std::uint64_t calls = 0;  ///< that the system was asked for it
    int error_number = 0;     ///< why they are fewer than asked for; 0: all are there, or the file ends

    [[nodiscard]] bool failed() const { return error_number != 0; }
};

/// Goes on where a write did less than was asked, `done` of it by one call so far (below 0: it failed with errno).
/// Local, as all of these.
Moved write_rest(int descriptor, std::uint64_t offset, std::span<std::byte const> data, std::int64_t done);
Moved read_rest(int descriptor, std::uint64_t offset, std::span<std::byte> data, std::int64_t done);

/// One call of the system, of as many bytes as it takes at once; below 0: it failed with errno.
std::int64_t write_once(int descriptor, std::uint64_t offset, std::span<std::byte const> data);
std::int64_t read_once(int descriptor, std::uint64_t offset, std::span<std::byte> data);

/// Writes all of the data at that offset: again where a signal ended a call, or where it did less than it was asked. A
/// device that takes nothing more is full (ENOSPC).
inline Moved write_at(int descriptor, std::uint64_t offset, std::span<std::byte const> data) {
    auto const done = write_once(descriptor, offset, data);
    if (done == static_cast<std::int64_t>(data.size())) [[likely]] {
        return {data.size(), 1, 0};
    }
    return write_rest(descriptor, offset, data, done);
}

/// Reads as much as is there, in the same way.
inline Moved read_at(int descriptor, std::uint64_t offset, std::span<std::byte> data) {
    auto const done = read_once(descriptor, offset, data);
    if (done == static_cast<std::int64_t>(data.size())) [[likely]] {
        return {data.size(), 1, 0};
    }
    return read_rest(descriptor, offset, data, done);
}

/// The number of the error, or 0. A sync that a signal has ended is made again, unless a stop is requested (EINTR).
int sync_file(int descriptor);

/// The number of the error, or 0; the descriptor is closed whatever it is.
int close_file(int descriptor);

/// Brings the names in a file's directory to the device, so that a rename lasts. The number of the error, or 0; some
/// file systems cannot do that, and need not.
int sync_directory_of(std::filesystem::path const& file);

/// Lets the device begin with these bytes while the program goes on, where the system can. What fails is told by a
/// sync.
void start_writing_out(int descriptor, std::uint64_t from, std::uint64_t to);

}  // namespace weir
