#pragma once

#include <cstdint>
#include <utility>

namespace weir::array {

/// A file domain: the bytes of a region that one aggregator moves, in windows of one size; the first and the last may
/// be shorter.
struct FileDomain {
    std::uint64_t begin = 0;  ///< ordinals in the region
    std::uint64_t end = 0;
    std::uint64_t window = 1;  ///< bytes
    std::uint64_t phase = 0;   ///< windows end where ordinal + phase is a multiple of `window`

    [[nodiscard]] std::uint64_t windows() const;

    /// First ordinal, and one past the last.
    [[nodiscard]] std::pair<std::uint64_t, std::uint64_t> window_at(std::uint64_t index) const;
};

/// Divides `bytes` among `aggregators` as evenly as possible with boundaries at multiples of `align` (less the phase).
FileDomain file_domain(std::uint64_t bytes, std::uint64_t aggregators, std::uint64_t index, std::uint64_t align,
                       std::uint64_t window, std::uint64_t phase);

}  // namespace weir::array
