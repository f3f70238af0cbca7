#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/quantity.hpp"

namespace weir {

// What the kernel tells in /proc and /sys. Each of these is best effort: nothing where the kernel does not tell.

std::optional<std::string> read_text_file(std::string const& path);

/// The value of a "Key:  value" line of a file such as /proc/meminfo; its first number.
std::optional<std::uint64_t> number_of_line(std::string const& text, std::string const& key);

/// Processor time that this machine has spent working since it started, in core-seconds.
std::optional<Seconds> busy_core_time();

/// Bytes that this process has caused to be fetched from storage devices (not from a cache).
std::optional<Bytes> bytes_read_from_devices();

/// Memory that can be used without swapping, also under a control group's limit.
std::optional<Bytes> available_memory();

/// The processors that this process may run on: as the kernel lists them, and how many.
std::string allowed_cpus();
std::uint64_t allowed_cpu_count();

std::string host_name();

/// Now, as 2026-11-20T16:40:00.123Z.
std::string utc_time();

}  // namespace weir
