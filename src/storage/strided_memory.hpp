#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "pattern/element.hpp"

namespace weir {

/// A rank's part of an array where the program has it: a box of numbers in an array in memory, guard cells around it.
/// The first dimensions are those of the array in the file, in the same order, each with as many indices as the part
/// has; the rest have one, such as the unknown where unknowns are interleaved.
struct StridedMemory {
    std::byte const* data = nullptr;  ///< of the complete array in memory
    Element element;                  ///< in memory; the file may have another precision
    std::vector<std::uint64_t> shape, start, count;
};

}  // namespace weir
