#pragma once

#include <fcntl.h>
#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>

namespace weir {

// Files in directories that others write to as well. Weir creates only files that did not exist, and changes or removes
// only those that it created: never through a symbolic link, never a file of another owner. All local.

/// Identifies a file and its state, to detect a replacement or a change.
struct FileIdentity {
    std::uint64_t inode = 0;
    std::uint64_t bytes = 0;
    std::int64_t modified_ns = 0;

    bool operator==(FileIdentity const&) const = default;
};

/// An open file, closed by the destructor.
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

    /// Releases ownership; the descriptor stays open.
    int release();

  private:
    int fd_;
};

/// Does anything have this name, including a dangling symbolic link?
bool is_there(std::filesystem::path const&);

/// Creates a file; Error (cannot_run) if it exists, or cannot be created.
Descriptor make_new_file(std::filesystem::path const&);

/// Error (cannot_run), with the reason, if the name exists and is not a regular file: a link, a directory, a pipe.
void refuse_what_is_no_file(std::filesystem::path const&);

/// Why an open file is not exclusively this user's: not regular, another owner, or another hard link; else empty.
std::string why_not_own(int fd);

/// Error (cannot_run) with that reason, if any.
void refuse_unless_own(int fd, std::filesystem::path const&);

/// Of the file with this name, without opening it; nothing if it does not exist.
std::optional<FileIdentity> identity_of(std::filesystem::path const&);

/// Opens an existing file to read (O_RDONLY) or change it (O_RDWR); Error (cannot_run), with the reason, unless it is a
/// regular file of this user with no other hard link, and not a symbolic link.
Descriptor open_own_file(std::filesystem::path const&, int access = O_RDONLY);

/// The text of a regular file, not a symbolic link, of any owner; nothing if it does not exist or is longer.
std::optional<std::string> read_short_file(std::filesystem::path const&, std::size_t most_bytes);

/// Creates a file with this text, as make_new_file().
void write_new_file(std::filesystem::path const&, std::string const& text);

/// Renames; returns false without renaming if the new name exists. Otherwise a failure is an Error (cannot_run).
bool rename_to_new(std::filesystem::path const& from, std::filesystem::path const& to);

}  // namespace weir
