// What is done to an open file beside reading and writing it.

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <unistd.h>

#include "trace/recorder/wrap.hpp"

using namespace weir::trace;

namespace {

constexpr auto nowhere = [](OpenFile&, int64_t) { return int64_t{-1}; };

}  // namespace

WEIR_CALL(POSIX, lseek, seek);
WEIR_EXPORT off_t lseek(int fd, off_t offset, int whence) noexcept {
    auto const place = [](OpenFile& file, int64_t result) {
        if (result >= 0) {
            positioned(file, result);
        }
        return result;
    };
    return on_descriptor(call_lseek, fd, 0, place,
                         [&] { return call_lseek.next<decltype(&lseek)>()(fd, offset, whence); });
}
WEIR_SAME(off_t, lseek64, (int, off_t, int) noexcept, lseek)

WEIR_CALL(POSIX, fsync, sync);
WEIR_EXPORT int fsync(int fd) {
    return on_descriptor(call_fsync, fd, 0, nowhere, [&] { return call_fsync.next<decltype(&fsync)>()(fd); });
}

WEIR_CALL(POSIX, fdatasync, sync);
WEIR_EXPORT int fdatasync(int fd) {
    return on_descriptor(call_fdatasync, fd, 0, nowhere,
                         [&] { return call_fdatasync.next<decltype(&fdatasync)>()(fd); });
}

WEIR_CALL(POSIX, sync_file_range, sync);
WEIR_EXPORT int sync_file_range(int fd, off_t offset, off_t bytes, unsigned flags) {
    return on_descriptor(call_sync_file_range, fd, static_cast<uint64_t>(bytes), at(offset), [&] {
        return call_sync_file_range.next<decltype(&sync_file_range)>()(fd, offset, bytes, flags);
    });
}

WEIR_CALL(POSIX, ftruncate, resize);
WEIR_EXPORT int ftruncate(int fd, off_t bytes) noexcept {
    return on_descriptor(call_ftruncate, fd, static_cast<uint64_t>(bytes), nowhere,
                         [&] { return call_ftruncate.next<decltype(&ftruncate)>()(fd, bytes); });
}
WEIR_SAME(int, ftruncate64, (int, off_t) noexcept, ftruncate)

WEIR_CALL(POSIX, fallocate, resize);
WEIR_EXPORT int fallocate(int fd, int mode, off_t offset, off_t bytes) {
    return on_descriptor(call_fallocate, fd, static_cast<uint64_t>(bytes), at(offset),
                         [&] { return call_fallocate.next<decltype(&fallocate)>()(fd, mode, offset, bytes); });
}
WEIR_SAME(int, fallocate64, (int, int, off_t, off_t), fallocate)

WEIR_CALL(POSIX, posix_fallocate, resize);
WEIR_EXPORT int posix_fallocate(int fd, off_t offset, off_t bytes) {
    return on_descriptor(call_posix_fallocate, fd, static_cast<uint64_t>(bytes), at(offset),
                         [&] { return call_posix_fallocate.next<decltype(&posix_fallocate)>()(fd, offset, bytes); });
}
WEIR_SAME(int, posix_fallocate64, (int, off_t, off_t), posix_fallocate)

WEIR_CALL(POSIX, copy_file_range, write);
WEIR_EXPORT ssize_t copy_file_range(int from, off_t* from_offset, int to, off_t* to_offset, size_t bytes,
                                    unsigned flags) {
    auto const before = to_offset == nullptr ? -1 : *to_offset;
    auto const place = [&](OpenFile& file, int64_t result) {
        if (from_offset == nullptr) {
            if (auto* const source = file_of(from)) {
                moved(*source, from, result);
            }
        }
        return to_offset == nullptr ? moved(file, to, result) : before;
    };
    return on_descriptor(call_copy_file_range, to, bytes, place, [&] {
        return call_copy_file_range.next<decltype(&copy_file_range)>()(from, from_offset, to, to_offset, bytes, flags);
    });
}

WEIR_CALL(POSIX, sendfile, read);
WEIR_EXPORT ssize_t sendfile(int to, int from, off_t* offset, size_t bytes) noexcept {
    auto const before = offset == nullptr ? -1 : *offset;
    auto const place = [&](OpenFile& file, int64_t result) {
        return offset == nullptr ? moved(file, from, result) : before;
    };
    return on_descriptor(call_sendfile, from, bytes, place,
                         [&] { return call_sendfile.next<decltype(&sendfile)>()(to, from, offset, bytes); });
}
WEIR_SAME(ssize_t, sendfile64, (int, int, off_t*, size_t) noexcept, sendfile)

// What is read and written through memory is seen by nobody; that it may be is noted.
WEIR_CALL(POSIX, mmap, map);
WEIR_EXPORT void* mmap(void* place, size_t bytes, int protection, int flags, int fd, off_t offset) noexcept {
    auto const real = [&] { return call_mmap.next<decltype(&mmap)>()(place, bytes, protection, flags, fd, offset); };
    if ((flags & MAP_ANONYMOUS) != 0 || fd < 0 || !process.recording || this_thread.inside) {
        return real();
    }
    auto* const file = file_of(fd);
    if (file == nullptr) {
        return real();
    }
    Recording recording(call_mmap);
    auto* const result = real();
    recording.end(file->name, offset, bytes, result == MAP_FAILED ? outcome(-1) : 0);
    return result;
}
WEIR_SAME(void*, mmap64, (void*, size_t, int, int, int, off_t) noexcept, mmap)
