#pragma once

#include <cstdint>
#include <filesystem>

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

}  // namespace weir
