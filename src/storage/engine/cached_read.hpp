#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace weir {

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
