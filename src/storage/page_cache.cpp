#include "storage/page_cache.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/magic.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <vector>

namespace weir {
namespace {

/// A file descriptor that closes itself.
class Descriptor {
  public:
    explicit Descriptor(std::filesystem::path const& path) : fd_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
    ~Descriptor() {
        if (fd_ >= 0) {
            ::close(fd_);
        }
    }
    Descriptor(Descriptor const&) = delete;
    Descriptor& operator=(Descriptor const&) = delete;
    [[nodiscard]] int get() const { return fd_; }

  private:
    int fd_;
};

}  // namespace

Residence residence(std::filesystem::path const& path) {
    Descriptor const file(path);
    struct stat status {};
    if (file.get() < 0 || fstat(file.get(), &status) != 0 || status.st_size == 0) {
        return {};
    }
    constexpr std::uint64_t window = 1ULL << 30;
    auto const page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    auto const size = static_cast<std::uint64_t>(status.st_size);
    std::vector<unsigned char> pages(window / page);
    std::uint64_t resident = 0;
    for (std::uint64_t start = 0; start < size; start += window) {
        auto const length = std::min(window, size - start);
        auto* place = mmap(nullptr, length, PROT_READ, MAP_SHARED, file.get(), static_cast<off_t>(start));
        if (place == MAP_FAILED) {
            return {};
        }
        auto const told = mincore(place, length, pages.data());
        munmap(place, length);
        if (told != 0) {
            return {};
        }
        auto const count = (length + page - 1) / page;
        resident += page * static_cast<std::uint64_t>(std::count_if(pages.begin(),
                                                                    pages.begin() + static_cast<std::ptrdiff_t>(count),
                                                                    [](auto p) { return (p & 1U) != 0; }));
    }
    return {std::min(resident, size), size};
}

void drop_from_page_cache(std::filesystem::path const& path) {
    Descriptor const file(path);
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

CacheVerdict judge_read(ReadEvidence const& evidence) {
    constexpr double most = 0.9;  // below this share from the device, the device's bandwidth is not what was measured
    if (evidence.in_memory) {
        return {true, "the files live in memory (tmpfs or ramfs): there is no device"};
    }
    // Clients of network and user-space file systems need not account what they fetch: there, none is no evidence.
    auto const accounted = evidence.device_bytes && (*evidence.device_bytes > 0 || evidence.on_block_device);
    if (accounted && evidence.bytes > 0) {
        auto const share = static_cast<double>(*evidence.device_bytes) / static_cast<double>(evidence.bytes);
        return {share < most,
                fmt::format("the kernel fetched {:.0f} % of the bytes from devices", 100 * std::min(share, 1.0))};
    }
    if (evidence.avoids_caches) {
        return {false, "the page cache was bypassed (O_DIRECT)"};
    }
    if (evidence.resident_share) {
        return {*evidence.resident_share > 1 - most,
                fmt::format("{:.0f} % of the files were in the page cache before the read",
                            100 * *evidence.resident_share)};
    }
    return {std::nullopt, "the kernel tells neither what came from devices nor what was cached"};
}

}  // namespace weir
