#pragma once

#include <filesystem>

namespace weir {

/// Refuses a directory that cannot be measured, before anything is opened in it: Error (cannot_run). Local.
void check_directory(std::filesystem::path const&);

/// May root put files into a directory that is another user's?
enum class ForeignFolder { refused, permitted };

/// Error (cannot_run) if this process is root's, and the directory, where files are to stay, belongs to another user
/// and is no shared scratch (one that all may write to, with the sticky bit). Local.
void check_whose(std::filesystem::path const& directory, ForeignFolder);

}  // namespace weir
