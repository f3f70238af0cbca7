#pragma once

#include <filesystem>

namespace weir {

/// Error (cannot_run) if a link on the way to the directory belongs neither to root nor to the caller: whoever owns it
/// can lead there what is written. What is missing or no directory, others tell. Local.
void refuse_foreign_links(std::filesystem::path const& directory);

}  // namespace weir
