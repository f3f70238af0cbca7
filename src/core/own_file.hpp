#pragma once

#include <fcntl.h>
#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>

namespace weir {

// Files in directories that others write to as well. Weir makes what was not there, and changes or removes only what it
// made: never through a link, never a file of another owner. All local.

/// Tells whether a file is still the one that it was, and as it was.
struct FileIdentity {
    std::uint64_t inode = 0;
    std::uint64_t bytes = 0;
    std::int64_t modified_ns = 0;

    bool operator==(FileIdentity const&) const = default;
};

/// An open file, closed at the end.
class Descriptor {
  public:
    explicit Descriptor(int fd) : fd_(fd) {}
    ~Descriptor();
    Descriptor(Descriptor&& other) noexcept;
    Descriptor& operator=(Descriptor&& other) noexcept {
        std::swap(fd_, other.fd_);
        return *this;
    }

    [[nodiscard]] int get() const { return fd_; }
    [[nodiscard]] FileIdentity identity() const;

    /// Gives it up, open.
    int release();

  private:
    int fd_;
};

/// Is there anything of this name, be it a link that leads nowhere?
bool is_there(std::filesystem::path const&);

/// Makes a file that was not there; Error (cannot_run) where it was, or cannot be made.
Descriptor make_new_file(std::filesystem::path const&);

/// Error (cannot_run), which says why, where something else than a regular file has this name: a link, a directory, a
/// pipe.
void refuse_what_is_no_file(std::filesystem::path const&);

/// Why an open file is none of this user's alone: it is not regular, another's, or has another name too; else empty.
std::string why_not_own(int fd);

/// Error (cannot_run) with that reason, where there is one.
void refuse_unless_own(int fd, std::filesystem::path const&);

/// Of the file of this name, which is not opened; nothing where there is none.
std::optional<FileIdentity> identity_of(std::filesystem::path const&);

/// Opens a file that is there to read it (O_RDONLY) or to change it (O_RDWR); Error (cannot_run), which says why,
/// unless it is a regular file of this user's with no other name, and no link.
Descriptor open_own_file(std::filesystem::path const&, int access = O_RDONLY);

/// The text of a regular file that is no link, of whichever owner; nothing where there is none or it is longer.
std::optional<std::string> read_short_file(std::filesystem::path const&, std::size_t most_bytes);

/// Makes a file with this text, as make_new_file().
void write_new_file(std::filesystem::path const&, std::string const& text);

/// Renames; false, and nothing is done, where there is something of the new name. Error (cannot_run) else.
bool rename_to_new(std::filesystem::path const& from, std::filesystem::path const& to);

}  // namespace weir
