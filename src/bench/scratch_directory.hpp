#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "bench/same_directory.hpp"
#include "bench/stop_removal.hpp"
#include "comm/communicator.hpp"

namespace weir {

/// May root create files in a directory of another user, or behind links of other users?
enum class ForeignFolder { refused, permitted };

/// Refuses a directory that cannot be measured, before anything is opened in it: Error (cannot_run). So is one behind a
/// link of another user, unless that is permitted. Local.
void check_directory(std::filesystem::path const&, ForeignFolder = ForeignFolder::refused);

/// The same where ranks but the first one pass over a directory that is not there: `ScratchDirectory` tells whether it
/// must be. Local.
void check_directory(std::filesystem::path const&, ForeignFolder, Communicator const&);

/// Error (cannot_run) if this process runs as root, and the directory, where files will stay, belongs to another user
/// and is not shared scratch (writable by all, with the sticky bit). Local.
void check_whose(std::filesystem::path const& directory, ForeignFolder);

/// Do all ranks share the directory, or does each have a subdirectory?
enum class DirectoryUse { common, one_a_rank };

/// Must nodes see each other's files in it, or may each have a directory of its own under this name, on its own disk?
enum class Sharing { needed, welcome };

/// What becomes of it if a stop is requested, and ranks take long to end: files to keep are the caller's to save.
enum class WhenStopped { removed, left };

/// A new directory `NAME-XXXXXX` for temporary files, so that no file of the user is in the way. Where each node may
/// have its own, its parent, which only the first rank's node may have, is made too, and removed with it.
class ScratchDirectory {
  public:
    /// Error (cannot_run), the same on all ranks, if it cannot be created, or is not shared where that is needed; then
    /// nothing is left behind. Collective.
    ScratchDirectory(std::filesystem::path const& parent, std::string const& name, Communicator,
                     DirectoryUse = DirectoryUse::common, WhenStopped = WhenStopped::removed,
                     Sharing = Sharing::needed);

    [[nodiscard]] std::filesystem::path const& path() const { return path_; }

    /// Two nodes that have different directories under this name, if there are any.
    [[nodiscard]] std::optional<ApartNodes> const& apart() const { return apart_; }

    /// The directory of a rank's files.
    [[nodiscard]] std::filesystem::path of_rank(std::uint64_t rank) const;

    /// Removes it with its contents, once all ranks are here. Error (cannot_run), the same on all ranks, on failure.
    /// Collective.
    void remove();

  private:
    void watch(std::filesystem::path const&, WhenStopped);
    [[nodiscard]] bool one_a_rank() const { return use_ == DirectoryUse::one_a_rank; }

    std::filesystem::path path_;
    std::filesystem::path made_parent_;  ///< on this node, by this rank; empty: it was there
    DirectoryUse use_;
    Communicator comm_;
    Communicator node_;
    std::optional<ApartNodes> apart_;
    std::unique_ptr<StopRemoval> when_stopped_;  ///< of each node's first rank
};

}  // namespace weir
