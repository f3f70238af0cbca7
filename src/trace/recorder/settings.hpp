#pragma once

#include <stdint.h>

namespace weir::trace {

/// Settings from the environment; read once per process.
struct Settings {
    char directory[4096];   ///< WEIR_TRACE: folder of the trace; empty: nothing is recorded
    int64_t process_limit;  ///< WEIR_TRACE_LIMIT: bytes of records of a process; past it, calls are only counted
    char exclude[4096];     ///< WEIR_TRACE_EXCLUDE: path prefixes that are not recorded, separated by ':'
    char only[4096];        ///< WEIR_TRACE_ONLY: path prefixes that alone are recorded, separated by ':'

    void read();

    /// Is this file recorded? `path` is absolute.
    [[nodiscard]] bool wants(char const* path) const;
};

}  // namespace weir::trace
