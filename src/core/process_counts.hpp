#pragma once

#include <cstdint>
#include <optional>

namespace weir {

/// The kernel's counters for this process: read and write calls (of files, pipes and sockets alike), their bytes,
/// context switches, and processor time.
struct ProcessCounts {
    std::uint64_t read_calls = 0;
    std::uint64_t write_calls = 0;
    std::uint64_t read_call_bytes = 0;
    std::uint64_t write_call_bytes = 0;
    std::uint64_t voluntary_switches = 0;    ///< it waited
    std::uint64_t involuntary_switches = 0;  ///< it was preempted
    double user_s = 0;
    double system_s = 0;

    /// The difference from an earlier reading.
    [[nodiscard]] ProcessCounts since(ProcessCounts const& before) const;

    void add(ProcessCounts const&);
};

/// From /proc/self/io and getrusage; nothing if the kernel does not provide them.
std::optional<ProcessCounts> process_counts();

}  // namespace weir
