#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "array/description.hpp"

namespace weir::array {

/// Arrays with the same runs as these on the same ranks, but so few of them that all arrays have at most `most` bytes:
/// shorter along their slowest dimensions. Nothing where that cannot be, as for boxes and lists that are larger. Pure.
std::optional<std::vector<Description>> sample_of(std::vector<Description> const&, std::uint64_t ranks,
                                                  std::uint64_t most);

}  // namespace weir::array
