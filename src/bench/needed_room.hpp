#pragma once

#include <cstdint>

#include "pattern/pattern.hpp"

namespace weir {

/// Bytes that a pattern's new files take at least, at their greatest: all shared ones, and those of so many ranks. 0 if
/// that is not known, as where a time limit ends a write.
std::uint64_t least_room(Pattern const&, std::uint64_t ranks_here);

}  // namespace weir
