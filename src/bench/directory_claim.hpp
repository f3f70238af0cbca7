#pragma once

#include <filesystem>
#include <optional>
#include <string>

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

}  // namespace weir
