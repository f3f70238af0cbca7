#pragma once

#include <filesystem>

#include "core/own_file.hpp"
#include "storage/backend.hpp"

namespace weir::cloud {

/// Opens a file to be written anew and in place of an older one. Error (cannot_run) unless that is a dump, perhaps cut
/// off, of this user's: no other file is replaced. `format` reads dumps of a format of its own. Local.
Descriptor open_old_dump(std::filesystem::path const&, Backend* format = nullptr);

/// Error (cannot_run) where a file is in the way that is no such dump. Local.
void check_place_of_dump(std::filesystem::path const&, Backend* format = nullptr);

}  // namespace weir::cloud
