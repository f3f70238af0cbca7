#include "storage/engine/page_cache.hpp"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <vector>

#include "core/own_file.hpp"

namespace weir {
namespace {

Descriptor open_to_look(std::filesystem::path const& path) {
    return Descriptor(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
}

/// The next part of a file from `start` on that is not a hole; empty at the end. If the file system does not report
/// holes, there are none.
struct DataRange {
    std::uint64_t start = 0;
    std::uint64_t end = 0;
};

DataRange next_data(int fd, std::uint64_t start, std::uint64_t size) {
    auto const data = ::lseek(fd, static_cast<off_t>(start), SEEK_DATA);
    if (data < 0) {
        return errno == ENXIO ? DataRange{size, size} : DataRange{start, size};
    }
    auto const hole = ::lseek(fd, data, SEEK_HOLE);
    return {static_cast<std::uint64_t>(data), hole < 0 ? size : static_cast<std::uint64_t>(hole)};
}

/// Adds the bytes of a part, and the resident ones of them; false if the kernel does not report residence.
bool add_part(int fd, DataRange part, Residence& sum) {
    constexpr std::uint64_t window = 1ULL << 30;
    auto const page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    std::vector<unsigned char> pages;
    for (auto start = part.start / page * page; start < part.end; start += window) {
        auto const length = std::min(window, part.end - start);
        auto* place = mmap(nullptr, length, PROT_READ, MAP_SHARED, fd, static_cast<off_t>(start));
        if (place == MAP_FAILED) {
            return false;
        }
        pages.resize((length + page - 1) / page);
        auto const told = mincore(place, length, pages.data());
        munmap(place, length);
        if (told != 0) {
            return false;
        }
        auto const resident = std::count_if(pages.begin(), pages.end(), [](auto p) { return (p & 1U) != 0; });
        sum.resident_bytes += std::min(length, page * static_cast<std::uint64_t>(resident));
        sum.bytes += length;
    }
    return true;
}

}  // namespace

Residence residence(std::filesystem::path const& path) {
    auto const file = open_to_look(path);
    struct stat status {};
    if (file.get() < 0 || fstat(file.get(), &status) != 0) {
        return {};
    }
    auto const size = static_cast<std::uint64_t>(status.st_size);
    Residence sum;
    for (auto part = next_data(file.get(), 0, size); part.start < size; part = next_data(file.get(), part.end, size)) {
        if (!add_part(file.get(), part, sum)) {
            return {};
        }
        if (part.end >= size) {
            break;
        }
    }
    return sum;
}

void drop_from_page_cache(std::filesystem::path const& path) {
    auto const file = open_to_look(path);
    if (file.get() >= 0) {
        // Only clean pages can be dropped.
        fdatasync(file.get());
        posix_fadvise(file.get(), 0, 0, POSIX_FADV_DONTNEED);
    }
}

bool lives_in_memory(std::filesystem::path const& directory) {
    struct statfs status {};
    if (statfs(directory.c_str(), &status) != 0) {
        return false;
    }
    return status.f_type == TMPFS_MAGIC || status.f_type == RAMFS_MAGIC;
}

bool is_on_block_device(std::filesystem::path const& directory) {
    struct stat status {};
    return ::stat(directory.c_str(), &status) == 0 && major(status.st_dev) != 0;
}

}  // namespace weir
