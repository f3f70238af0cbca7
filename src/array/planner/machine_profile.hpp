#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace weir::array {

/// Where a file system keeps its data, which determines the cost of requests.
enum class Storage { unknown, memory, local, server, parallel };

/// A file system's properties for the planner. Plain data, so that one rank can broadcast it.
struct FileSystem {
    std::uint64_t type = 0;  ///< the kernel's f_type; 0: not examined
    Storage storage = Storage::unknown;
    std::uint64_t stripe_bytes = 0;  ///< contiguous on one server, or the preferred request size; 0: unknown
    std::uint64_t stripes = 0;       ///< servers over which a file is striped; 0: unknown, or all
    int error_number = 0;            ///< why examining it failed

    /// Is it reached through a network?
    [[nodiscard]] bool remote() const { return storage == Storage::server || storage == Storage::parallel; }

    /// "ext4"; the number if this table lacks the name; empty if not examined.
    [[nodiscard]] std::string name() const;
};

/// By the kernel's number.
FileSystem file_system_of(std::uint64_t type);

/// The file system that holds a directory.
FileSystem look_at(std::string const& directory);

/// Sets stripe size and count from Lustre's extended attribute lustre.lov of a file or directory; of several
/// components, those of the last. Unchanged if the attribute has an unknown format.
void read_lustre_layout(std::span<std::byte const> attribute, FileSystem&);

/// How fast one file is written or read.
struct FileSpeed {
    double one_bytes_per_s = 0;  ///< by one process
    double all_bytes_per_s = 0;  ///< by as many processes as help
    double request_s = 0;        ///< latency of a request
};

/// The machine's numbers for the cost model: docs/reference/machine-profile.md.
struct MachineProfile {
    FileSpeed write, read;
    double copy_bytes_per_s = 0;     ///< of rows into and out of windows, by one process
    double message_s = 0;            ///< latency of a message
    double network_bytes_per_s = 0;  ///< into or out of one node
    std::string source;              ///< origin of the numbers, for users
};

/// The profile assumed for a machine without measurements.
MachineProfile usual_profile(FileSystem const&, std::uint64_t nodes);

/// Takes the numbers from a profile's text; `name` is its file name. Throws Failure (WEIR_BAD_ARGUMENT) if it is not a
/// profile.
void read_profile(std::string const& text, std::string const& name, MachineProfile&);

}  // namespace weir::array
