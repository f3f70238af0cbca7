#pragma once

#include <string>
#include <string_view>

#include "core/quantity.hpp"

namespace weir {

/// Parses a size: an integer and a unit, "64KiB", "1MB", "4096B". KiB, MiB, GiB, TiB are powers of 2^10; kB, MB,
/// GB, TB of 10^3. Throws Error (usage) for a missing or unknown unit, and for sizes of 2^64 bytes and more.
Bytes parse_bytes(std::string_view text);

/// Parses a time: "250ms", "30s", "2m", "1h", "1.5s". Throws Error (usage) for a missing unit.
Seconds parse_seconds(std::string_view text);

/// The shortest exact text that parse_bytes() reads back: "64KiB", "1000B".
std::string format_bytes(Bytes);

}  // namespace weir
