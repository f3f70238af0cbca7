#pragma once

#include <compare>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>

#include "comm/communicator.hpp"
#include "core/own_file.hpp"

namespace weir {

/// Identifies a file whatever is written to it: a file that later gets its name, or its inode, was born later.
struct Birth {
    std::uint64_t inode = 0;
    std::int64_t born_ns = 0;

    auto operator<=>(Birth const&) const = default;
};

/// Of the regular file with this name, not a link; nothing if there is none, or if its file system does not tell when
/// files were made. Local.
std::optional<Birth> birth_of(std::filesystem::path const&);

/// The files that a run has begun in a directory, listed in the file `.NAME.begun` there as soon as each exists, so
/// that a later run may replace what a killed one has left unfinished. A run that ends removes the list: then MadeFiles
/// has what it left. A thread of the first rank notices files as they appear, so that no measured time has the listing.
class BegunFiles {
  public:
    /// Reads what killed runs left listed. Collective.
    BegunFiles(std::filesystem::path const& directory, std::string const& name, Communicator const&);
    ~BegunFiles();
    BegunFiles(BegunFiles const&) = delete;
    BegunFiles& operator=(BegunFiles const&) = delete;

    /// Is it a file that a killed run has begun, under this name or another? Error (cannot_run) if it is also another
    /// user's, or has a second name. Local, as all that follow.
    [[nodiscard]] bool has_left(std::filesystem::path const&) const;

    /// From now on, new files of this name in the directory are this run's. On the first rank; elsewhere without
    /// effect.
    void expect(std::filesystem::path const&);

  private:
    class Watch;

    void note(std::string const& name);
    void write() const;

    std::filesystem::path directory_, path_;
    std::set<Birth> left_;  ///< by killed runs
    std::mutex mutex_;
    std::set<std::string> expected_;
    std::set<Birth> begun_;         ///< by this run
    std::unique_ptr<Watch> watch_;  ///< last: its thread uses the others. Null: not here, or not possible
};

}  // namespace weir
