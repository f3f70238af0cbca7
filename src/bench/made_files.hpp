#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "comm/communicator.hpp"
#include "core/own_file.hpp"

namespace weir {

/// Reserves a directory for one run that leaves files of fixed names there, by a file `.NAME.lock`. The file is created
/// exclusively, which works on every file system; a kernel lock on it shows whether one left behind on this host is
/// still held.
class DirectoryClaim {
  public:
    /// `what` describes the run in messages: "a gas cloud". Error (cannot_run), the same on all ranks, if another run
    /// has it. Collective.
    DirectoryClaim(std::filesystem::path const& directory, std::string const& name, std::string const& what,
                   Communicator const&);

    /// Releases the directory. Local.
    ~DirectoryClaim();
    DirectoryClaim(DirectoryClaim const&) = delete;
    DirectoryClaim& operator=(DirectoryClaim const&) = delete;

  private:
    void take(std::string const& what);
    void take_over(std::string const& what);

    std::filesystem::path path_;
    std::optional<Descriptor> file_;  ///< on the rank that holds it
};

/// The files that runs have left in a directory, listed in the file `.NAME.made` there: a later run may replace those
/// that have not changed since.
class MadeFiles {
  public:
    /// Reads that list, of files that still exist as they were left; nothing if it belongs to another user. Collective.
    MadeFiles(std::filesystem::path const& directory, std::string const& name, Communicator);

    /// Error (cannot_run) if it is listed, but has become a link or another user's. Local.
    [[nodiscard]] bool has_left(std::filesystem::path const&) const;

    /// Adds each rank's existing files, all in the directory. Collective; Error (cannot_run), the same on all ranks.
    void add(std::vector<std::filesystem::path> const& of_this_rank);

  private:
    [[nodiscard]] std::string text() const;
    void take(std::string const& text);

    std::filesystem::path directory_, path_;
    Communicator comm_;
    std::map<std::string, FileIdentity> files_;  ///< by name
    bool is_stale_ = false;                      ///< the list has files that are no longer as they were left; on root
};

}  // namespace weir
