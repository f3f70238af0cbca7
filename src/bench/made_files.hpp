#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "comm/communicator.hpp"
#include "core/own_file.hpp"

namespace weir {

/// The files that runs have left in a directory, listed in the file `.NAME.made` there: a later run may replace those
/// that have not changed since.
class MadeFiles {
  public:
    /// Reads that list; nothing if it belongs to another user. Collective.
    MadeFiles(std::filesystem::path const& directory, std::string const& name, Communicator);

    /// Error (cannot_run) if it is listed, but has become a link or another user's. Local.
    [[nodiscard]] bool has_left(std::filesystem::path const&) const;

    /// Adds each rank's existing files, all in the directory, and drops those that no longer exist. Collective; Error
    /// (cannot_run), the same on all ranks.
    void add(std::vector<std::filesystem::path> const& of_this_rank);

  private:
    [[nodiscard]] std::string text() const;
    void take(std::string const& text);
    void write() const;

    std::filesystem::path directory_, path_;
    Communicator comm_;
    std::map<std::string, FileIdentity> files_;  ///< by name
};

}  // namespace weir
