#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace weir::array {

/// CRC-32C (Castagnoli) of some bytes, as iSCSI (RFC 3720) defines it. Uses the processor's instruction if it has one.
std::uint32_t crc32c(std::span<std::byte const>);

/// A piece's contribution to the checksum of a longer one, in which `bytes` bytes follow it: the checksum of the
/// complete one is the exclusive or of all pieces' contributions, in any order.
std::uint32_t crc32c_followed_by(std::uint32_t crc, std::uint64_t bytes);

}  // namespace weir::array
