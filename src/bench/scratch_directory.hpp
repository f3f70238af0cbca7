#pragma once

#include <filesystem>
#include <string>

#include "comm/communicator.hpp"

namespace weir {

/// Refuses a directory that cannot be measured, before anything is opened in it: Error (cannot_run). Local.
void check_directory(std::filesystem::path const&);

/// May root put files into a directory that is another user's?
enum class ForeignFolder { refused, permitted };

/// Error (cannot_run) if this process is root's, and the directory, where files are to stay, belongs to another user
/// and is no shared scratch (one that all may write to, with the sticky bit). Local.
void check_whose(std::filesystem::path const& directory, ForeignFolder);

/// Whether all ranks use a directory alike, or each one of its own inside.
enum class DirectoryUse { common, one_a_rank };

/// A new directory `NAME-XXXXXX` for files that are not to stay, so that none of the user's can be in the way.
class ScratchDirectory {
  public:
    /// Error (cannot_run), the same on all ranks, where it cannot be made; then nothing is left of it. Collective.
    ScratchDirectory(std::filesystem::path const& parent, std::string const& name, Communicator,
                     DirectoryUse = DirectoryUse::common);

    [[nodiscard]] std::filesystem::path const& path() const { return path_; }

    /// Where a rank's files are.
    [[nodiscard]] std::filesystem::path of_rank(std::uint64_t rank) const;

    /// Removes it with all that is in it, once all ranks are here. Error (cannot_run), the same on all ranks, where
    /// that fails. Collective.
    void remove();

  private:
    [[nodiscard]] bool one_a_rank() const { return use_ == DirectoryUse::one_a_rank; }

    std::filesystem::path path_;
    DirectoryUse use_;
    Communicator comm_;
    Communicator node_;
};

}  // namespace weir
