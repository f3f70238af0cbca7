#pragma once

#include <filesystem>
#include <string>

namespace weir {

// Lists of files that Weir leaves for its next runs in directories that others write to as well. All local.

/// The text of such a list; empty if there is none, it is too long, or it is not this user's.
std::string read_own_list(std::filesystem::path const&);

/// Writes it under a temporary name first, so that it is either complete or unchanged. Error (cannot_run) if that
/// fails, or if another file has its name.
void replace_own_list(std::filesystem::path const&, std::string const& text);

}  // namespace weir
