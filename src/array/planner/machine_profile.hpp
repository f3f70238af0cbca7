#pragma once

#include <cstdint>
#include <string>

#include "array/planner/file_system.hpp"

namespace weir::array {

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
