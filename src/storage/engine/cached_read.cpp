#include "storage/engine/cached_read.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace weir {

CacheVerdict judge_read(ReadEvidence const& evidence) {
    constexpr double most = 0.9;  // below this share, the measured bandwidth is not the device's
    if (evidence.in_memory) {
        return {true, "the files live in memory (tmpfs or ramfs): there is no device"};
    }
    // Clients of network and user-space file systems may not account their reads: for them, zero proves nothing.
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
    return {std::nullopt, "the kernel reports neither what came from devices nor what was cached"};
}

}  // namespace weir
