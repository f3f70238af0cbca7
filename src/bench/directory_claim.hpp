#pragma once

#include <filesystem>
#include <optional>
#include <string>

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

}  // namespace weir
