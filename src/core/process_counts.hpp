#pragma once

#include <cstdint>
#include <optional>

namespace weir {

/// What the kernel has counted for this process: its calls that read and write (of files, pipes and sockets alike),
/// their bytes, how often it was taken off its processor, and its processor time.
struct ProcessCounts {
    std::uint64_t read_calls = 0;
    std::uint64_t write_calls = 0;
    std::uint64_t read_call_bytes = 0;
    std::uint64_t write_call_bytes = 0;
    std::uint64_t voluntary_switches = 0;    ///< it waited
    std::uint64_t involuntary_switches = 0;  ///< another process got its core
    double user_s = 0;
    double system_s = 0;

    /// What has been added since an earlier look.
    [[nodiscard]] ProcessCounts since(ProcessCounts const& before) const;

    void add(ProcessCounts const&);
};

/// From /proc/self/io and getrusage; nothing where the kernel does not tell.
std::optional<ProcessCounts> process_counts();

}  // namespace weir
