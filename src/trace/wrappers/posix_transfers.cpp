// Reads and writes of POSIX, with their 64-bit and checked twins.

#include <sys/uio.h>
#include <unistd.h>

#include "trace/recorder/wrap.hpp"

using namespace weir::trace;

static_assert(sizeof(off_t) == 8, "the 64-bit twins are the same functions");

WEIR_CALL(POSIX, read, read);
WEIR_EXPORT ssize_t read(int fd, void* data, size_t bytes) {
    return on_descriptor(call_read, fd, bytes, at_position(fd),
                         [&] { return call_read.next<decltype(&read)>()(fd, data, bytes); });
}

WEIR_CALL(POSIX, write, write);
WEIR_EXPORT ssize_t write(int fd, void const* data, size_t bytes) {
    return on_descriptor(call_write, fd, bytes, at_position(fd),
                         [&] { return call_write.next<decltype(&write)>()(fd, data, bytes); });
}

WEIR_CALL(POSIX, pread, read);
WEIR_EXPORT ssize_t pread(int fd, void* data, size_t bytes, off_t offset) {
    return on_descriptor(call_pread, fd, bytes, at(offset),
                         [&] { return call_pread.next<decltype(&pread)>()(fd, data, bytes, offset); });
}

WEIR_CALL(POSIX, pwrite, write);
WEIR_EXPORT ssize_t pwrite(int fd, void const* data, size_t bytes, off_t offset) {
    return on_descriptor(call_pwrite, fd, bytes, at(offset),
                         [&] { return call_pwrite.next<decltype(&pwrite)>()(fd, data, bytes, offset); });
}

WEIR_CALL(POSIX, readv, read);
WEIR_EXPORT ssize_t readv(int fd, iovec const* pieces, int count) {
    return on_descriptor(call_readv, fd, Pieces{pieces, count}, at_position(fd),
                         [&] { return call_readv.next<decltype(&readv)>()(fd, pieces, count); });
}

WEIR_CALL(POSIX, writev, write);
WEIR_EXPORT ssize_t writev(int fd, iovec const* pieces, int count) {
    return on_descriptor(call_writev, fd, Pieces{pieces, count}, at_position(fd),
                         [&] { return call_writev.next<decltype(&writev)>()(fd, pieces, count); });
}

WEIR_CALL(POSIX, preadv, read);
WEIR_EXPORT ssize_t preadv(int fd, iovec const* pieces, int count, off_t offset) {
    return on_descriptor(call_preadv, fd, Pieces{pieces, count}, at(offset),
                         [&] { return call_preadv.next<decltype(&preadv)>()(fd, pieces, count, offset); });
}

WEIR_CALL(POSIX, pwritev, write);
WEIR_EXPORT ssize_t pwritev(int fd, iovec const* pieces, int count, off_t offset) {
    return on_descriptor(call_pwritev, fd, Pieces{pieces, count}, at(offset),
                         [&] { return call_pwritev.next<decltype(&pwritev)>()(fd, pieces, count, offset); });
}

WEIR_CALL(POSIX, preadv2, read);
WEIR_EXPORT ssize_t preadv2(int fd, iovec const* pieces, int count, off_t offset, int flags) {
    auto const real = [&] { return call_preadv2.next<decltype(&preadv2)>()(fd, pieces, count, offset, flags); };
    return offset == -1 ? on_descriptor(call_preadv2, fd, Pieces{pieces, count}, at_position(fd), real)
                        : on_descriptor(call_preadv2, fd, Pieces{pieces, count}, at(offset), real);
}

WEIR_CALL(POSIX, pwritev2, write);
WEIR_EXPORT ssize_t pwritev2(int fd, iovec const* pieces, int count, off_t offset, int flags) {
    auto const real = [&] { return call_pwritev2.next<decltype(&pwritev2)>()(fd, pieces, count, offset, flags); };
    return offset == -1 ? on_descriptor(call_pwritev2, fd, Pieces{pieces, count}, at_position(fd), real)
                        : on_descriptor(call_pwritev2, fd, Pieces{pieces, count}, at(offset), real);
}

WEIR_SAME(ssize_t, pread64, (int, void*, size_t, off_t), pread)
WEIR_SAME(ssize_t, pwrite64, (int, void const*, size_t, off_t), pwrite)
WEIR_SAME(ssize_t, preadv64, (int, iovec const*, int, off_t), preadv)
WEIR_SAME(ssize_t, pwritev64, (int, iovec const*, int, off_t), pwritev)
WEIR_SAME(ssize_t, preadv64v2, (int, iovec const*, int, off_t, int), preadv2)
WEIR_SAME(ssize_t, pwritev64v2, (int, iovec const*, int, off_t, int), pwritev2)

// What _FORTIFY_SOURCE makes of reads: the buffer's size was checked, and is checked here no more.
WEIR_EXPORT ssize_t __read_chk(int fd, void* data, size_t bytes, size_t room) {
    if (bytes > room) {
        __builtin_trap();
    }
    return read(fd, data, bytes);
}
WEIR_EXPORT ssize_t __pread_chk(int fd, void* data, size_t bytes, off_t offset, size_t room) {
    if (bytes > room) {
        __builtin_trap();
    }
    return pread(fd, data, bytes, offset);
}
WEIR_SAME(ssize_t, __pread64_chk, (int, void*, size_t, off_t, size_t), __pread_chk)
WEIR_EXPORT ssize_t __readlink_chk(char const* path, char* text, size_t bytes, size_t room) {
    if (bytes > room) {
        __builtin_trap();
    }
    return readlink(path, text, bytes);
}
WEIR_EXPORT ssize_t __readlinkat_chk(int directory, char const* path, char* text, size_t bytes, size_t room) {
    if (bytes > room) {
        __builtin_trap();
    }
    return readlinkat(directory, path, text, bytes);
}

// Names under which the C library has the same functions once more.
WEIR_SAME(ssize_t, __read, (int, void*, size_t), read)
WEIR_SAME(ssize_t, __write, (int, void const*, size_t), write)
WEIR_SAME(ssize_t, __pread64, (int, void*, size_t, off_t), pread)
WEIR_SAME(ssize_t, __pwrite64, (int, void const*, size_t, off_t), pwrite)
