#pragma once

#include <cstddef>
#include <vector>

namespace weir::testing {

/// Bytes that differ from their neighbours, and from those 256 on.
inline std::vector<std::byte> counted(std::size_t n) {
    std::vector<std::byte> bytes(n);
    for (std::size_t i = 0; i < n; ++i) {
        bytes[i] = static_cast<std::byte>(i * 7 + i / 256);
    }
    return bytes;
}

}  // namespace weir::testing
