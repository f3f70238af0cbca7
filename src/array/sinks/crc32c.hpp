#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace weir::array {

/// CRC-32C (Castagnoli) of some bytes, as iSCSI (RFC 3720) defines it. By the processor's instruction where it has one.
std::uint32_t crc32c(std::span<std::byte const>);

/// What a piece with this checksum adds to that of a longer one, in which `bytes` bytes follow it: the checksum of the
/// whole is the exclusive or of what its pieces add, in any order.
std::uint32_t crc32c_followed_by(std::uint32_t crc, std::uint64_t bytes);

}  // namespace weir::array
