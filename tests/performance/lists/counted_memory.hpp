#pragma once

#include <cstdint>

namespace weir::performance {

/// Bytes that this program and its libraries hold by operator new, and the most that they have held since the last
/// call of forget_most(). The sizes asked for are counted, not what malloc adds.
std::uint64_t held_bytes();
std::uint64_t most_held_bytes();
void forget_most();

}  // namespace weir::performance
