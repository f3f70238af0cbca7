#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace weir {

/// How much of a file is in the page cache of this node, without its holes.
struct Residence {
    std::uint64_t resident_bytes = 0;
    std::uint64_t bytes = 0;
};

/// Asks the kernel (mincore). 0 bytes if the file does not exist, or the file system does not report residence.
Residence residence(std::filesystem::path const&);

/// Drops a file from this node's page cache: syncs it, then posix_fadvise(DONTNEED). Does not need root. Does nothing
/// if the file does not exist.
void drop_from_page_cache(std::filesystem::path const&);

/// Is this a file system whose files live in memory (tmpfs, ramfs)?
bool lives_in_memory(std::filesystem::path const& directory);

/// Is this directory on a block device of this node?
bool is_on_block_device(std::filesystem::path const& directory);

/// Evidence of where the bytes of a read came from.
struct ReadEvidence {
    std::uint64_t bytes = 0;
    std::optional<std::uint64_t> device_bytes;  ///< that the kernel counted as fetched from devices
    std::optional<double> resident_share;       ///< of the files, in the page cache before the read
    bool in_memory = false;                     ///< the file system has no device
    bool on_block_device = true;                ///< of this node; the kernel may not account reads from elsewhere
    bool avoids_caches = false;                 ///< O_DIRECT or similar
};

/// Whether the bandwidth of a read can be the device's. Unknown without evidence.
struct CacheVerdict {
    std::optional<bool> suspect;
    std::string why;
};

CacheVerdict judge_read(ReadEvidence const&);

}  // namespace weir
