#pragma once

#include <cstdint>
#include <vector>

#include "array/window.hpp"

namespace weir::array {

/// A contiguous piece of the plan's space that lies contiguously in a slot.
struct Stretch {
    std::uint64_t position = 0;
    std::uint64_t length = 0;
    std::uint64_t offset = 0;  ///< in the slot
};

/// The pieces of a window's region: all of it.
std::vector<Stretch> all_of(Region const&, std::pair<std::uint64_t, std::uint64_t> ordinals);

/// What these shares fill of a window, in the order of the file; pieces with gaps of up to `gap` bytes between them are
/// taken as one. Takes memory by the rows in the window.
std::vector<Stretch> filled_by(std::vector<Window> const& shares, std::uint64_t gap);

}  // namespace weir::array
