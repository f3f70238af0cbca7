#pragma once

#include <stdint.h>

namespace weir::trace {

/// What the environment asks for; read once a process.
struct Settings {
    char directory[4096];   ///< WEIR_TRACE: where the trace goes; empty: nothing is recorded
    int64_t process_limit;  ///< WEIR_TRACE_LIMIT: bytes of records of a process; past it, calls are only counted
    char exclude[4096];     ///< WEIR_TRACE_EXCLUDE: paths that begin so are left out, separated by ':'
    char only[4096];        ///< WEIR_TRACE_ONLY: only paths that begin so are recorded, separated by ':'

    void read();

    /// Is this file to be recorded? `path` is absolute.
    [[nodiscard]] bool wants(char const* path) const;
};

}  // namespace weir::trace
