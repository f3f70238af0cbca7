// Calls on an open file other than reads and writes.

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <unistd.h>

#include "trace/wrappers/wrap.hpp"

using namespace weir::trace;

namespace {

constexpr auto new_position = [](OpenDescription& file, int64_t result) {
    if (result >= 0) {
        set_position(file, result);
    }
    return result;
};

}  // namespace

WEIR_WRAP(POSIX, lseek, seek, off_t, (int fd, off_t offset, int whence) noexcept, (fd, offset, whence),
          on_descriptor(call, fd, 0, new_position, real))
WEIR_ALIAS(off_t, lseek64, (int, off_t, int) noexcept, lseek)
WEIR_ALIAS(off_t, llseek, (int, off_t, int) noexcept, lseek)
WEIR_ALIAS(off_t, __lseek, (int, off_t, int) noexcept, lseek)
WEIR_WRAP(POSIX, fsync, sync, int, (int fd), (fd), on_descriptor(call, fd, 0, nowhere, real))
WEIR_WRAP(POSIX, fdatasync, sync, int, (int fd), (fd), on_descriptor(call, fd, 0, nowhere, real))
WEIR_WRAP(POSIX, sync_file_range, sync, int, (int fd, off_t offset, off_t bytes, unsigned flags),
          (fd, offset, bytes, flags), on_descriptor(call, fd, static_cast<uint64_t>(bytes), at(offset), real))
WEIR_WRAP(POSIX, ftruncate, resize, int, (int fd, off_t bytes) noexcept, (fd, bytes),
          on_descriptor(call, fd, static_cast<uint64_t>(bytes), nowhere, real))
WEIR_ALIAS(int, ftruncate64, (int, off_t) noexcept, ftruncate)
WEIR_WRAP(POSIX, fallocate, resize, int, (int fd, int mode, off_t offset, off_t bytes), (fd, mode, offset, bytes),
          on_descriptor(call, fd, static_cast<uint64_t>(bytes), at(offset), real))
WEIR_ALIAS(int, fallocate64, (int, int, off_t, off_t), fallocate)
WEIR_WRAP(POSIX, posix_fallocate, resize, int, (int fd, off_t offset, off_t bytes), (fd, offset, bytes),
          on_descriptor_with_error(call, fd, static_cast<uint64_t>(bytes), offset, real))
WEIR_ALIAS(int, posix_fallocate64, (int, off_t, off_t), posix_fallocate)

// Advice is not a transfer, and moves no bytes visible to the program.
WEIR_WRAP(POSIX, posix_fadvise, other, int, (int fd, off_t offset, off_t bytes, int advice) noexcept,
          (fd, offset, bytes, advice), on_descriptor_with_error(call, fd, static_cast<uint64_t>(bytes), offset, real))
WEIR_ALIAS(int, posix_fadvise64, (int, off_t, off_t, int) noexcept, posix_fadvise)
WEIR_WRAP(POSIX, readahead, other, ssize_t, (int fd, off_t offset, size_t bytes) noexcept, (fd, offset, bytes),
          on_descriptor(call, fd, bytes, at(offset), real))
WEIR_WRAP(POSIX, flock, other, int, (int fd, int operation) noexcept, (fd, operation),
          on_descriptor(call, fd, 0, nowhere, real))
WEIR_WRAP(POSIX, lockf, other, int, (int fd, int operation, off_t bytes), (fd, operation, bytes),
          on_descriptor(call, fd, static_cast<uint64_t>(bytes), nowhere, real))
WEIR_ALIAS(int, lockf64, (int, int, off_t), lockf)
WEIR_WRAP(POSIX, syncfs, sync, int, (int fd) noexcept, (fd), on_descriptor(call, fd, 0, nowhere, real))

WEIR_WRAP(POSIX, sync, sync, void, () noexcept, (), static_cast<void>(without_file(call, 0, zero_after(real))))

// Loads and stores to a mapping are invisible; the mapping is recorded.
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

WEIR_WRAP(POSIX, msync, sync, int, (void* place, size_t bytes, int flags), (place, bytes, flags),
          without_file(call, bytes, real))
WEIR_ALIAS(void*, __mmap, (void*, size_t, int, int, int, off_t) noexcept, mmap)
WEIR_ALIAS(void*, mmap64, (void*, size_t, int, int, int, off_t) noexcept, mmap)
