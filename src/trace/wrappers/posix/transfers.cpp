// Reads and writes of POSIX, with their 64-bit and fortified variants, and copies from file to file.

#include <fcntl.h>
#include <sys/sendfile.h>
#include <sys/uio.h>
#include <unistd.h>

#include "trace/wrappers/wrap.hpp"

using namespace weir::trace;

static_assert(sizeof(off_t) == 8, "the 64-bit twins are the same functions");

namespace {

/// At this offset, or at the file's position (-1). The flags say whether it appends, or whether it does not though the
/// file does.
auto write_with_flags(int descriptor, int64_t offset, int flags) {
    constexpr int append = 0x10;
    constexpr int no_append = 0x20;
    return [=](OpenDescription& file, int64_t result) {
        bool const appends = (flags & append) != 0 || (file.appends && (flags & no_append) == 0);
        if (offset != -1) {
            return appends ? place_of_append(descriptor, result, offset) : offset;
        }
        if ((flags & append) == 0 || file.shared) {
            return advance_position(file, descriptor, result);
        }
        auto const place = place_of_append(descriptor, result, -1);
        if (result > 0 && place >= 0) {
            set_position(file, place + result);
        }
        return place;
    };
}

}  // namespace

WEIR_WRAP(POSIX, read, read, ssize_t, (int fd, void* data, size_t bytes), (fd, data, bytes),
          on_descriptor(call, fd, Data{data, bytes}, at_position(fd), real))
WEIR_WRAP(POSIX, write, write, ssize_t, (int fd, void const* data, size_t bytes), (fd, data, bytes),
          on_descriptor(call, fd, Data{data, bytes}, at_position(fd), real))
WEIR_WRAP(POSIX, pread, read, ssize_t, (int fd, void* data, size_t bytes, off_t offset), (fd, data, bytes, offset),
          on_descriptor(call, fd, Data{data, bytes}, at(offset), real))
WEIR_WRAP(POSIX, pwrite, write, ssize_t, (int fd, void const* data, size_t bytes, off_t offset),
          (fd, data, bytes, offset), on_descriptor(call, fd, Data{data, bytes}, write_at(fd, offset), real))
WEIR_WRAP(POSIX, readv, read, ssize_t, (int fd, iovec const* pieces, int count), (fd, pieces, count),
          on_descriptor(call, fd, VectoredBuffers{pieces, count}, at_position(fd), real))
WEIR_WRAP(POSIX, writev, write, ssize_t, (int fd, iovec const* pieces, int count), (fd, pieces, count),
          on_descriptor(call, fd, VectoredBuffers{pieces, count}, at_position(fd), real))
WEIR_WRAP(POSIX, preadv, read, ssize_t, (int fd, iovec const* pieces, int count, off_t offset),
          (fd, pieces, count, offset), on_descriptor(call, fd, VectoredBuffers{pieces, count}, at(offset), real))
WEIR_WRAP(POSIX, pwritev, write, ssize_t, (int fd, iovec const* pieces, int count, off_t offset),
          (fd, pieces, count, offset),
          on_descriptor(call, fd, VectoredBuffers{pieces, count}, write_at(fd, offset), real))
WEIR_WRAP(POSIX, preadv2, read, ssize_t, (int fd, iovec const* pieces, int count, off_t offset, int flags),
          (fd, pieces, count, offset, flags),
          offset == -1 ? on_descriptor(call, fd, VectoredBuffers{pieces, count}, at_position(fd), real)
                       : on_descriptor(call, fd, VectoredBuffers{pieces, count}, at(offset), real))
WEIR_WRAP(POSIX, pwritev2, write, ssize_t, (int fd, iovec const* pieces, int count, off_t offset, int flags),
          (fd, pieces, count, offset, flags),
          on_descriptor(call, fd, VectoredBuffers{pieces, count}, write_with_flags(fd, offset, flags), real))

WEIR_ALIAS(ssize_t, pread64, (int, void*, size_t, off_t), pread)
WEIR_ALIAS(ssize_t, pwrite64, (int, void const*, size_t, off_t), pwrite)
WEIR_ALIAS(ssize_t, preadv64, (int, iovec const*, int, off_t), preadv)
WEIR_ALIAS(ssize_t, pwritev64, (int, iovec const*, int, off_t), pwritev)
WEIR_ALIAS(ssize_t, preadv64v2, (int, iovec const*, int, off_t, int), preadv2)
WEIR_ALIAS(ssize_t, pwritev64v2, (int, iovec const*, int, off_t, int), pwritev2)

// Variants that _FORTIFY_SOURCE calls: they check the buffer's size.
#define CHECKED(name, function, parameters, arguments) \
    WEIR_EXPORT ssize_t name parameters { return bytes > room ? (__builtin_trap(), -1) : function arguments; }

CHECKED(__read_chk, read, (int fd, void* data, size_t bytes, size_t room), (fd, data, bytes))
CHECKED(__pread_chk, pread, (int fd, void* data, size_t bytes, off_t offset, size_t room), (fd, data, bytes, offset))
WEIR_ALIAS(ssize_t, __pread64_chk, (int, void*, size_t, off_t, size_t), __pread_chk)
CHECKED(__readlink_chk, readlink, (char const* path, char* text, size_t bytes, size_t room), (path, text, bytes))
CHECKED(__readlinkat_chk, readlinkat, (int directory, char const* path, char* text, size_t bytes, size_t room),
        (directory, path, text, bytes))

// The C library's other names for the same functions.
WEIR_ALIAS(ssize_t, __read, (int, void*, size_t), read)
WEIR_ALIAS(ssize_t, __write, (int, void const*, size_t), write)
WEIR_ALIAS(ssize_t, __pread64, (int, void*, size_t, off_t), pread)
WEIR_ALIAS(ssize_t, __pwrite64, (int, void const*, size_t, off_t), pwrite)

namespace {

/// One of the two files of a call, from its arguments.
struct Side {
    int descriptor;
    off_t const* offset;
};

/// The same as recorded.
class End {
  public:
    /// `offset` is null if the call is at the file's own position. It is read only after a successful call: the kernel
    /// checks whether the pointer is valid.
    explicit End(Side side)
        : descriptor_(side.descriptor),
          offset_(side.offset),
          file_(file_of(side.descriptor)),
          name_(known() ? file_->name : 0) {}

    [[nodiscard]] bool known() const { return file_ != nullptr; }

    void record(Call const& call, uint64_t begin, uint64_t now, uint64_t length, int64_t result, uint8_t flags) {
        auto const at = offset_ == nullptr ? advance_position(*file_, descriptor_, result)
                        : result < 0       ? -1
                                           : *offset_ - result;
        Recording(call, begin).end_at(now, name_, at, length, result, flags);
    }

  private:
    int descriptor_;
    off_t const* offset_;
    OpenDescription* file_;
    uint32_t name_;
};

/// A read of the one file and a write of the other, with half of the call's time each; if one of them is not recorded,
/// the other has all of it.
template <class Real>
ssize_t between(Call const& reads, Call const& writes, Side source, Side target, size_t bytes, Real real) {
    constexpr size_t most_at_once = 0x7FFFF000;  // a larger count, beyond what one call can move, means: all
    if (!recording()) [[unlikely]] {
        return bypass_recorder(real);
    }
    End from(source);
    End to(target);
    if (!from.known() && !to.known()) {
        auto const result = real();
        count_unrecorded_bytes(0, result);
        count_unrecorded_bytes(1, result);
        return result;
    }
    auto const begin = ticks();
    auto const result = real();
    auto const now = ticks();
    system::KeepErrno const keep;
    auto const value = outcome(result);
    auto const length = bytes <= most_at_once ? bytes : static_cast<uint64_t>(value < 0 ? 0 : value);
    auto const middle = begin + (now - begin) / 2;
    if (!from.known() || !to.known()) {
        count_unrecorded_bytes(from.known() ? 1 : 0, value);
    }
    if (from.known() && to.known()) {
        from.record(reads, begin, middle, length, value, first_half);
        to.record(writes, middle, now, length, value, second_half);
    } else if (from.known()) {
        from.record(reads, begin, now, length, value, 0);
    } else {
        to.record(writes, begin, now, length, value, 0);
    }
    return result;
}

}  // namespace

WEIR_CALL_NAMED(copy_from_file, POSIX, copy_file_range, read);
WEIR_WRAP(POSIX, copy_file_range, write, ssize_t,
          (int from, off_t* from_offset, int to, off_t* to_offset, size_t bytes, unsigned flags),
          (from, from_offset, to, to_offset, bytes, flags),
          between(call_copy_from_file, call, {from, from_offset}, {to, to_offset}, bytes, real))
WEIR_CALL_NAMED(send_to_file, POSIX, sendfile, write);
WEIR_WRAP(POSIX, sendfile, read, ssize_t, (int to, int from, off_t* offset, size_t bytes) noexcept,
          (to, from, offset, bytes), between(call, call_send_to_file, {from, offset}, {to, nullptr}, bytes, real))
WEIR_ALIAS(ssize_t, sendfile64, (int, int, off_t*, size_t) noexcept, sendfile)
WEIR_CALL_NAMED(splice_to_file, POSIX, splice, write);
WEIR_CALL(POSIX, splice, read);
WEIR_EXPORT ssize_t splice(int from, off_t* from_offset, int to, off_t* to_offset, size_t bytes, unsigned flags) {
    auto const real = [&] {
        return call_splice.next<decltype(&splice)>()(from, from_offset, to, to_offset, bytes, flags);
    };
    // One end is a pipe; the file is the other.
    bool const writes = recording() && file_of(from) == nullptr;
    auto const file = writes ? to : from;
    auto const* const offset = writes ? to_offset : from_offset;
    auto const before = offset == nullptr ? -1 : *offset;
    auto const place = [&](OpenDescription& open_file, int64_t result) {
        return offset == nullptr ? advance_position(open_file, file, result) : before;
    };
    return on_descriptor(writes ? call_splice_to_file : call_splice, file, bytes, place, real);
}
