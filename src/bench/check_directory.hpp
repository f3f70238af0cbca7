#pragma once

#include <filesystem>

namespace weir {

/// Refuses a directory that cannot be measured, before anything is opened in it: Error (cannot_run). Local.
void check_directory(std::filesystem::path const&);

}  // namespace weir
