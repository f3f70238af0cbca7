#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/json_fwd.hpp"

namespace weir {

/// The hardware that a list of CPUs covers, at least in part. The kernel's CPUs are hardware threads, of which a core
/// may have several. Nothing if hwloc does not know.
struct Coverage {
    std::optional<std::uint64_t> cores;  ///< hardware threads, if the machine does not report cores
    std::optional<std::uint64_t> packages;

    bool operator==(Coverage const&) const = default;
};

/// The coverage of each of these lists of CPUs ("0-3,8", the kernel's format). Reads the machine's topology, which
/// takes some ms; so pass all lists at once.
std::vector<Coverage> cover(std::vector<std::string> const& cpu_lists);

/// How many CPUs a list has; 0 of an empty one, or one that cannot be read. Pure.
std::uint64_t cpus_in(std::string const& cpu_list);

/// Two CPUs by the kernel's numbers.
using CpuPair = std::pair<unsigned, unsigned>;

/// The first CPU of the first list, and one of another core: the first in the earliest list that has any. Nothing if
/// there is none, or hwloc does not know. Reads the machine's topology.
std::optional<CpuPair> cpus_of_two_cores(std::vector<std::string> const& cpu_lists);

/// Packages, cores, threads, NUMA nodes, caches and memory of this machine, from hwloc.
Json describe_topology();

}  // namespace weir
