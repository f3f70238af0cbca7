#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace weir::array {

/// Where the data of a file system is, which decides what requests cost.
enum class Storage { unknown, memory, local, server, parallel };

/// What the planner wants to know of a file system. Plain data, so that one rank can tell the others.
struct FileSystem {
    std::uint64_t type = 0;  ///< the kernel's number; 0: nobody has looked
    Storage storage = Storage::unknown;
    std::uint64_t stripe_bytes = 0;  ///< contiguous on one server, or what it likes to be asked for; 0: it does not say
    std::uint64_t stripes = 0;       ///< servers that hold a file; 0: it does not say, or all
    int error_number = 0;            ///< why it could not be looked at

    /// Is it reached through a network?
    [[nodiscard]] bool remote() const { return storage == Storage::server || storage == Storage::parallel; }

    /// "ext4"; the number where it has no name here; empty where nobody has looked.
    [[nodiscard]] std::string name() const;
};

/// By the kernel's number.
FileSystem file_system_of(std::uint64_t type);

/// The one that a directory is in.
FileSystem look_at(std::string const& directory);

/// Puts size and number of stripes into it, from what Lustre keeps as the attribute lustre.lov of a file or directory:
/// those of the last component, where it has several. Leaves it alone where the bytes are none of the known formats.
void read_lustre_layout(std::span<std::byte const> attribute, FileSystem&);

/// How fast one file is written or read.
struct FileSpeed {
    double one_bytes_per_s = 0;  ///< by one process
    double all_bytes_per_s = 0;  ///< by as many as help
    double request_s = 0;        ///< latency of a request
};

/// The numbers that decide how arrays get into a file: docs/reference/machine-profile.md.
struct MachineProfile {
    FileSpeed write, read;
    double copy_bytes_per_s = 0;     ///< of rows into and out of windows, by one process
    double message_s = 0;            ///< latency of a message
    double network_bytes_per_s = 0;  ///< into or out of one node
    std::string source;              ///< where the numbers are from, for people
};

/// What is assumed of a machine that nobody has measured.
MachineProfile usual_profile(FileSystem const&, std::uint64_t nodes);

/// Takes over the numbers that a profile's text says; `name` is that of its file. Throws Failure (WEIR_BAD_ARGUMENT)
/// where it is none.
void read_profile(std::string const& text, std::string const& name, MachineProfile&);

}  // namespace weir::array
