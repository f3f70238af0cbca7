#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/json_fwd.hpp"

namespace weir {

/// A rank as another one of its node sees it while nothing goes on.
struct RankSeen {
    std::uint64_t rank = 0;
    std::int64_t process = 0;
    char state = '?';             ///< its letter in /proc/PID/stat; Z if the process is gone
    std::string mpi_call;         ///< the MPI function that it is in; empty: none, or it did not answer
    std::string calls;            ///< the innermost functions that have a name, one a line; empty if it did not answer
    std::string kernel_function;  ///< in which it waits; empty if unknown
    std::string phase;            ///< of the benchmark; empty: none
};

/// The `stall` line of a node (docs/reference/protocol.md): ranks that wait for others in MPI by the function, and
/// apart from them those that do not, and so may be what the others wait for, the surest first. Of many ranks only the
/// first are named, so that the line stays below 4096 bytes: shorter lines on standard error are not torn apart.
Json stall_line(std::string const& host, double since_s, std::vector<RankSeen> const& ranks);

}  // namespace weir
