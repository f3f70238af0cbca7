// What is done to an open file beside reading and writing it.

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <unistd.h>

#include "trace/recorder/wrap.hpp"

using namespace weir::trace;

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
WEIR_SAME(off_t, llseek, (int, off_t, int) noexcept, lseek)
WEIR_SAME(off_t, __lseek, (int, off_t, int) noexcept, lseek)

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
    return on_descriptor_with_error(call_posix_fallocate, fd, static_cast<uint64_t>(bytes), offset, [&] {
        return call_posix_fallocate.next<decltype(&posix_fallocate)>()(fd, offset, bytes);
    });
}
WEIR_SAME(int, posix_fallocate64, (int, off_t, off_t), posix_fallocate)

// Advice is no transfer, and moves nothing that the program would see.
WEIR_CALL(POSIX, posix_fadvise, other);
WEIR_EXPORT int posix_fadvise(int fd, off_t offset, off_t bytes, int advice) noexcept {
    return on_descriptor_with_error(call_posix_fadvise, fd, static_cast<uint64_t>(bytes), offset, [&] {
        return call_posix_fadvise.next<decltype(&posix_fadvise)>()(fd, offset, bytes, advice);
    });
}
WEIR_SAME(int, posix_fadvise64, (int, off_t, off_t, int) noexcept, posix_fadvise)

WEIR_CALL(POSIX, readahead, other);
WEIR_EXPORT ssize_t readahead(int fd, off_t offset, size_t bytes) noexcept {
    return on_descriptor(call_readahead, fd, bytes, at(offset),
                         [&] { return call_readahead.next<decltype(&readahead)>()(fd, offset, bytes); });
}

WEIR_CALL(POSIX, flock, other);
WEIR_EXPORT int flock(int fd, int operation) noexcept {
    return on_descriptor(call_flock, fd, 0, nowhere,
                         [&] { return call_flock.next<decltype(&flock)>()(fd, operation); });
}

WEIR_CALL(POSIX, lockf, other);
WEIR_EXPORT int lockf(int fd, int operation, off_t bytes) {
    return on_descriptor(call_lockf, fd, static_cast<uint64_t>(bytes), nowhere,
                         [&] { return call_lockf.next<decltype(&lockf)>()(fd, operation, bytes); });
}
WEIR_SAME(int, lockf64, (int, int, off_t), lockf)

WEIR_CALL(POSIX, syncfs, sync);
WEIR_EXPORT int syncfs(int fd) noexcept {
    return on_descriptor(call_syncfs, fd, 0, nowhere, [&] { return call_syncfs.next<decltype(&syncfs)>()(fd); });
}

WEIR_CALL(POSIX, sync, sync);
WEIR_EXPORT void sync() noexcept {
    if (!recording()) [[unlikely]] {
        begin_process();
        return call_sync.next<decltype(&sync)>()();
    }
    Recording recording(call_sync);
    call_sync.next<decltype(&sync)>()();
    recording.end(0, -1, 0, 0);
}

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
    auto const place = [&](OpenFile& open_file, int64_t result) {
        return offset == nullptr ? moved(open_file, file, result) : before;
    };
    return on_descriptor(writes ? call_splice_to_file : call_splice, file, bytes, place, real);
}

// What is read and written through memory is seen by nobody; that it may be is noted.
WEIR_CALL(POSIX, mmap, map);
WEIR_EXPORT void* mmap(void* place, size_t bytes, int protection, int flags, int fd, off_t offset) noexcept {
    auto const real = [&] { return call_mmap.next<decltype(&mmap)>()(place, bytes, protection, flags, fd, offset); };
    if ((flags & MAP_ANONYMOUS) != 0 || fd < 0 || !recording()) {
        return real();
    }
    auto* const file = file_of(fd);
    if (file == nullptr) {
        return real();
    }
    auto const name = file->name;
    Recording recording(call_mmap);
    auto* const result = real();
    recording.end(name, offset, bytes, result == MAP_FAILED ? outcome(-1) : 0);
    return result;
}

WEIR_CALL(POSIX, msync, sync);
WEIR_EXPORT int msync(void* place, size_t bytes, int flags) {
    auto const real = [&] { return call_msync.next<decltype(&msync)>()(place, bytes, flags); };
    if (!recording()) [[unlikely]] {
        begin_process();
        return real();
    }
    Recording recording(call_msync);
    auto const result = real();
    recording.end(0, -1, bytes, outcome(result));
    return result;
}
WEIR_SAME(void*, __mmap, (void*, size_t, int, int, int, off_t) noexcept, mmap)
WEIR_SAME(void*, mmap64, (void*, size_t, int, int, int, off_t) noexcept, mmap)
