#pragma once

#include <filesystem>

#include "apps/common/run/strategy.hpp"

namespace weir::cloud {

/// Error (cannot_run) if an existing file is not this user's dump of this strategy, possibly truncated: no other file
/// is replaced. Local.
void check_place_of_dump(std::filesystem::path const&, Strategy const&);

}  // namespace weir::cloud
