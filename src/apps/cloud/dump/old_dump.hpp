#pragma once

#include <filesystem>

#include "apps/common/run/way.hpp"

namespace weir::cloud {

/// Error (cannot_run) where a file is there that is no dump of this way, perhaps cut off, of this user's: no other file
/// is replaced. Local.
void check_place_of_dump(std::filesystem::path const&, Way const&);

}  // namespace weir::cloud
