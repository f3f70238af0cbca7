#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/quantity.hpp"

namespace weir {

// What the kernel tells in /proc and /sys. Each of these is best effort: nothing where the kernel does not tell. `root`
// is the folder that these two are in; tests give made ones.

/// The value of a "Key:  value" line of a file such as /proc/meminfo; its first number.
std::optional<std::uint64_t> number_of_line(std::string const& text, std::string const& key);

/// Processor time that this machine has spent working since it started, in core-seconds. What its host took from it is
/// not among that.
std::optional<Seconds> busy_core_time(std::string const& root = "");

/// Bytes that this process has caused to be fetched from storage devices (not from a cache).
std::optional<Bytes> bytes_read_from_devices();

/// Memory that can be used without swapping, also under the limits of its control group and those above.
std::optional<Bytes> available_memory(std::string const& root = "");

/// The CPUs (hardware threads) that this process may run on, as the kernel lists them: "0-3,8". Empty if it does not.
std::string allowed_cpus();

std::string host_name();

/// Now, as 2026-11-20T16:40:00.123Z.
std::string utc_time();

}  // namespace weir
