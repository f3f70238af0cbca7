#pragma once

#include <filesystem>

#include "apps/common/run/strategy.hpp"

namespace weir::cloud {

/// Error (cannot_run) where a file is there that is no dump of this strategy, perhaps cut off, of this user's: no other
/// file is replaced. Local.
void check_place_of_dump(std::filesystem::path const&, Strategy const&);

}  // namespace weir::cloud
