#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/own_file.hpp"

namespace weir::array {

/// Bytes [from, to) of a file.
struct FileRange {
    std::uint64_t from = 0;
    std::uint64_t to = 0;
};

/// Resolves symbolic links in the path's last component, also if the target does not exist yet. Throws Failure.
std::filesystem::path resolved(std::filesystem::path const&);

/// A file that is written as PATH.weir-part and then replaces PATH; if PATH is a symbolic link, it is next to the
/// link's target. Never touches another user's file: an existing part file is reused only if it is a regular file of
/// this user that no process writes, as an interrupted dump leaves it. All local, on one rank.
class PartFile {
  public:
    /// Creates it, empty and open. Throws Failure.
    explicit PartFile(std::filesystem::path const& path);

    /// Removes it, unless it has been put in place.
    ~PartFile();
    PartFile(PartFile const&) = delete;
    PartFile& operator=(PartFile const&) = delete;

    /// Opens the part file that rank 0 has created; returns the descriptor. Throws Failure.
    static int opened(std::filesystem::path const& part);

    /// Copies these ranges of the file that is to be replaced, as far as they exist. Throws Failure.
    void keep(std::vector<FileRange> const&) const;

    /// That file's length; 0 if it does not exist.
    [[nodiscard]] std::uint64_t old_bytes() const { return old_ ? static_cast<std::uint64_t>(old_->st_size) : 0; }

    [[nodiscard]] int descriptor() const { return descriptor_.get(); }

    /// Renames it to the final path and syncs, with the old file's mode and, if permitted, its owner. Throws Failure.
    void put_in_place();

  private:
    void take_over();
    void look_at_old();
    [[nodiscard]] bool still_there() const;

    std::filesystem::path path_;  ///< the path to replace
    std::filesystem::path part_;
    Descriptor descriptor_{-1};
    std::optional<struct stat> old_;  ///< the file that is replaced; nothing: it does not exist
    bool placed_ = false;
};

/// A file of a dump as a node sees it on which rank 0 is not. Local.
class SeenFile {
  public:
    /// Asks the file system whether the file that rank 0 has made is there.
    explicit SeenFile(std::filesystem::path path);

    /// Removes what it made instead.
    ~SeenFile();
    SeenFile(SeenFile const&) = delete;
    SeenFile& operator=(SeenFile const&) = delete;

    /// Throws Failure if it was not: the directory is another one on this node.
    void check() const;

  private:
    std::filesystem::path path_;
    bool made_ = false;
};

/// A file that is to be written: it is made, unless it is there, and removed again if it is not kept. Local.
class NewFile {
  public:
    /// Throws Failure.
    explicit NewFile(std::filesystem::path path);
    ~NewFile();
    NewFile(NewFile const&) = delete;
    NewFile& operator=(NewFile const&) = delete;

    void keep() { made_ = false; }

  private:
    std::filesystem::path path_;
    bool made_ = false;
};

/// Where a dump is written before it replaces the last one.
std::filesystem::path part_path(std::filesystem::path const&);

/// Renames a synced file over another, and syncs the directory. Throws Failure. Local.
void move_into_place(std::filesystem::path const& from, std::filesystem::path const& to);

/// Makes a file at least this long; new bytes read as zeros. `sync`: on the device. Throws Failure. Local.
void extend_file(std::filesystem::path const&, std::uint64_t end, bool sync);

/// Replaces a file's content by this text; an interruption leaves either the old or the new one. Throws Failure. Local.
void replace_file(std::filesystem::path const&, std::string const& text);

}  // namespace weir::array
