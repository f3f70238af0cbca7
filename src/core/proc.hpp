#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/quantity.hpp"

namespace weir {

// Values from /proc and /sys. All are best effort: nothing if the kernel does not provide them. `root` is the folder
// that contains these two; tests pass artificial ones.

/// The value of a "Key:  value" line of a file such as /proc/meminfo; its first number.
std::optional<std::uint64_t> number_of_line(std::string const& text, std::string const& key);

/// Busy processor time of this machine since boot, in core-seconds, without stolen time.
std::optional<Seconds> busy_core_time(std::string const& root = "");

/// The letter of a process's state in /proc/PID/stat (proc(5)): R running, S sleeping, D uninterruptible, T or t
/// stopped, Z dead; nothing if there is no such process.
std::optional<char> process_state(std::int64_t process, std::string const& root = "");

/// The kernel function in which the process waits; empty if it does not, or if that is not told.
std::string kernel_function(std::int64_t process, std::string const& root = "");

/// Bytes that the process has caused to move from and to storage so far.
std::optional<Bytes> storage_bytes(std::int64_t process, std::string const& root = "");

/// Bytes that this process caused to be fetched from storage devices (not from a cache).
std::optional<Bytes> bytes_read_from_devices();

/// Memory available without swapping, also within the limits of its control group and its ancestors.
std::optional<Bytes> available_memory(std::string const& root = "");

/// What this process may map beside what it has, within its limit of address space (ulimit -v); nothing without one.
std::optional<Bytes> address_space_left();

/// All memory of this machine.
std::optional<Bytes> total_memory(std::string const& root = "");

/// The size of the last cache of the first CPU.
std::optional<Bytes> last_cache(std::string const& root = "");

/// The CPUs (hardware threads) that this process may run on, in the kernel's format: "0-3,8". Empty if unknown.
std::string allowed_cpus();

/// Those that its threads may be bound to: also CPUs that its launcher left out and its control group has. Empty if
/// unknown.
std::string bindable_cpus();

std::string host_name();

/// The current time, as 2026-11-20T16:40:00.123Z.
std::string utc_time();

}  // namespace weir
