#include "storage/backends/posix/posix_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "core/interrupt.hpp"
#include "core/posix_io.hpp"
#include "storage/reserve_space.hpp"
#include "storage/write_error_interposer.hpp"

namespace weir {
namespace {

int flags_of(OpenRequest const& request) {
    switch (request.mode) {
        case OpenMode::create:
            return O_CREAT | O_RDWR | (request.empties ? O_TRUNC : 0);
        case OpenMode::update:
            return O_RDWR;
        case OpenMode::read:
            break;
    }
    return O_RDONLY;
}

/// The alignment for direct requests: as the kernel reports it (Linux 6.1), or the file system's block size.
std::uint64_t direct_alignment(int fd) {
#ifdef STATX_DIOALIGN
    struct statx told {};
    if (statx(fd, "", AT_EMPTY_PATH, STATX_DIOALIGN, &told) == 0 && (told.stx_mask & STATX_DIOALIGN) != 0 &&
        told.stx_dio_offset_align != 0) {
        return told.stx_dio_offset_align;
    }
#endif
    struct stat status {};
    return fstat(fd, &status) == 0 ? static_cast<std::uint64_t>(status.st_blksize) : 4096;
}

char const* advice_for_transfer(int error_number) {
    return error_number == EINVAL
               ? "With O_DIRECT, offsets and lengths must be multiples of the device's block: align them, or leave "
                 "direct out."
               : advice_on_file(error_number);
}

}  // namespace

Error transfer_error(char const* what, std::string const& path, std::uint64_t offset, int error_number) {
    return system_error(fmt::format("cannot {} '{}' at offset {}", what, path, offset), error_number,
                        advice_for_transfer(error_number));
}

PosixFile::PosixFile(OpenRequest const& request, bool direct)
    : path_(request.path.string()), counter_(request.counter), file_(CallCounter::call(counter_, IoCall::open, [&] {
          auto const flags = flags_of(request) | O_NOFOLLOW | O_CLOEXEC | (direct ? O_DIRECT : 0);
          return open_or_make(path_.c_str(), flags);
      })) {
    if (file_.get() < 0) {
        auto const error_number = errno;
        auto const* const advice =
            direct && error_number == EINVAL
                ? "This file system refuses O_DIRECT; leave direct out and use --cache drop for honest reads."
                : advice_on_file(error_number);
        throw system_error(fmt::format("cannot open '{}'{}", path_, direct ? " with O_DIRECT" : ""), error_number,
                           advice);
    }
    // An existing file may have been renamed or changed its owner since it was checked.
    if (request.mode == OpenMode::update) {
        refuse_unless_own(file_.get(), request.path);
    }
    if (direct) {
        check_alignment(request.transfer_bytes);
    }
}

void PosixFile::check_alignment(std::uint64_t transfer_bytes) const {
    auto const alignment = direct_alignment(file_.get());
    if (transfer_bytes % alignment != 0) {
        throw Error({fmt::format("transfers of {} bytes cannot be direct", transfer_bytes),
                     fmt::format("O_DIRECT on this file system needs multiples of {} bytes", alignment),
                     fmt::format("Choose a transfer of {} bytes, or leave direct out.",
                                 (transfer_bytes / alignment + 1) * alignment),
                     ExitCode::usage});
    }
}

void PosixFile::write(Operation const& operation, std::span<std::byte const> data) {
    auto const moved =
        CallCounter::request(counter_, IoCall::write, [&] { return write_at(file_.get(), operation.offset, data); });
    if (moved.failed()) [[unlikely]] {
        throw transfer_error("write", path_, operation.offset + moved.bytes, moved.error_number);
    }
}

void PosixFile::write_all(Operations& operations, RequestMemory& data, Meter& meter) {
    write_each(*this, operations, data, meter);
}

void PosixFile::read_all(Operations& operations, RequestMemory& data, Meter& meter) {
    read_each(*this, operations, data, meter);
}

std::size_t PosixFile::read(Operation const& operation, std::span<std::byte> data) {
    auto const moved =
        CallCounter::request(counter_, IoCall::read, [&] { return read_at(file_.get(), operation.offset, data); });
    if (moved.failed()) [[unlikely]] {
        throw transfer_error("read", path_, operation.offset + moved.bytes, moved.error_number);
    }
    return moved.bytes;
}

void PosixFile::preallocate(std::uint64_t bytes) { reserve_space(file_.get(), path_, bytes); }

void PosixFile::sync() {
    auto const error_number = CallCounter::call(counter_, IoCall::sync, [&] { return sync_file(file_.get()); });
    if (error_number != 0) {
        if (error_number == EINTR) {
            throw_if_interrupted();
        }
        throw system_error(fmt::format("cannot sync '{}'", path_), error_number, advice_for_transfer(error_number));
    }
}

void PosixFile::close() {
    if (file_.get() < 0) {
        return;
    }
    auto const error_number = CallCounter::call(counter_, IoCall::close, [&] { return close_file(file_.release()); });
    if (error_number != 0) {
        throw system_error(fmt::format("cannot close '{}'", path_), error_number, advice_for_transfer(error_number));
    }
}

}  // namespace weir
