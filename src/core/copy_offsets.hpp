#pragma once

#include <cstddef>
#include <cstring>

#include "core/clock.hpp"

namespace weir {

/// How long a copy takes, by where its destination begins in a page: at the same place as the source, or a few bytes
/// behind it. Some processors take many times as long for the latter, with the instruction that glibc and the kernel
/// copy by (glibc bug 30994). Medians of `batches`, in seconds.
struct CopyOffsets {
    std::size_t bytes = 0;  ///< of a copy
    std::size_t offset = 0;
    std::size_t batches = 0;
    double same_s = 0;
    double behind_s = 0;
};

using Copy = void* (*)(void* to, void const* from, std::size_t bytes);

/// Copies in turns, for about 5 ms. Local.
CopyOffsets measure_copy_offsets(Clock const&, Copy = std::memcpy);

}  // namespace weir
