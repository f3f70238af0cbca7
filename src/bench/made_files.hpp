#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "comm/communicator.hpp"
#include "core/own_file.hpp"

namespace weir {

/// Keeps a directory for one run that leaves files of fixed names there: a file `.NAME.lock` while it lasts. It is made
/// where there is none, which works on every file system; a lock of the kernel's on it tells whether one that was
/// left behind, on this host, is still held.
class DirectoryClaim {
  public:
    /// `what` is said of the run: "a gas cloud". Error (cannot_run), the same on all ranks, where another has it.
    /// Collective.
    DirectoryClaim(std::filesystem::path const& directory, std::string const& name, std::string const& what,
                   Communicator const&);

    /// Gives the directory free. Local.
    ~DirectoryClaim();
    DirectoryClaim(DirectoryClaim const&) = delete;
    DirectoryClaim& operator=(DirectoryClaim const&) = delete;

  private:
    void take(std::string const& what);
    void take_over(std::string const& what);

    std::filesystem::path path_;
    std::optional<Descriptor> file_;  ///< on the rank that holds it
};

/// The files that runs have left in a directory, as the file `.NAME.made` there tells: a later run may replace those
/// that are still as they were left.
class MadeFiles {
  public:
    /// Takes in what is told there; nothing where it is another user's. Collective.
    MadeFiles(std::filesystem::path const& directory, std::string const& name, Communicator);

    /// Error (cannot_run) where it is told of, but became a link or another user's. Local.
    [[nodiscard]] bool has_left(std::filesystem::path const&) const;

    /// Adds those of each rank that are there, all in the directory, and forgets those that have gone. Collective;
    /// Error (cannot_run), the same on all ranks.
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
