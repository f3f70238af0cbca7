#pragma once

#include <cstdint>
#include <string>

#include "array/planner/file_system.hpp"

namespace weir::array {

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
