#pragma once

#include <filesystem>

namespace weir {

/// Refuses a directory that cannot be measured, before anything is opened in it: Error (cannot_run). Local.
void check_directory(std::filesystem::path const&);

/// May root create files in a directory of another user?
enum class ForeignFolder { refused, permitted };

/// Error (cannot_run) if this process runs as root, and the directory, where files will stay, belongs to another user
/// and is not shared scratch (writable by all, with the sticky bit). Local.
void check_whose(std::filesystem::path const& directory, ForeignFolder);

}  // namespace weir
