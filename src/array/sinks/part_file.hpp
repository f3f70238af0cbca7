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

/// Where a path leads: behind symbolic links of its last name, also where nothing is there yet. Throws Failure.
std::filesystem::path resolved(std::filesystem::path const&);

/// A file that is written next to another and then replaces it, in PATH.weir-part; where PATH is a symbolic link, next
/// to the file that it leads to. Nobody else's file is touched: a part file that is there is taken over only if it is a
/// plain file of this user that nobody writes, as an interrupted dump leaves it. All local, on one rank.
class PartFile {
  public:
    /// Makes it, empty and open. Throws Failure.
    explicit PartFile(std::filesystem::path const& path);

    /// Removes it, unless it has been put in place.
    ~PartFile();
    PartFile(PartFile const&) = delete;
    PartFile& operator=(PartFile const&) = delete;

    /// Opens the part file that rank 0 has made; the descriptor. Throws Failure.
    static int opened(std::filesystem::path const& part);

    /// Copies these bytes of the file that is to be replaced, as far as it has them. Throws Failure.
    void keep(std::vector<FileRange> const&) const;

    /// How long that file is; 0 where there is none.
    [[nodiscard]] std::uint64_t old_bytes() const { return old_ ? static_cast<std::uint64_t>(old_->st_size) : 0; }

    [[nodiscard]] int descriptor() const { return descriptor_.get(); }

    /// Puts it in the place of the other, on the device, with that one's mode and, where that may be done, its owner.
    /// Throws Failure.
    void put_in_place();

  private:
    void take_over();
    void look_at_old();
    [[nodiscard]] bool still_there() const;

    std::filesystem::path path_;  ///< what it replaces
    std::filesystem::path part_;
    Descriptor descriptor_{-1};
    std::optional<struct stat> old_;  ///< the file that is replaced; nothing: there is none
    bool placed_ = false;
};

/// Where a dump is written before it replaces the last one.
std::filesystem::path part_path(std::filesystem::path const&);

/// Puts a file that is on the device in the place of another, and that on the device too. Throws Failure. Local.
void move_into_place(std::filesystem::path const& from, std::filesystem::path const& to);

/// Makes a file at least so long; what is new reads as zeros. `sync`: on the device. Throws Failure. Local.
void extend_file(std::filesystem::path const&, std::uint64_t end, bool sync);

/// Replaces a file by this text, so that an interruption leaves the one or the other. Throws Failure. Local.
void replace_file(std::filesystem::path const&, std::string const& text);

}  // namespace weir::array
