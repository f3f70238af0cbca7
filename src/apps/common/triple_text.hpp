#pragma once

#include <string>
#include <string_view>

#include "apps/common/grid.hpp"

namespace weir {

constexpr Index greatest_in_triple = Index{1} << 24;  ///< so far a 4-byte real tells whole numbers apart

/// Three whole numbers from 1 to 2^24, as in "128x128x64". Error (usage), naming the option.
Triple parse_triple(std::string_view text, std::string_view option);

std::string to_text(Triple const&);

}  // namespace weir
