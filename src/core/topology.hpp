#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/json_fwd.hpp"

namespace weir {

/// What a list of CPUs touches, each at least in part. The kernel's CPUs are hardware threads, of which a core may have
/// several. Nothing where hwloc does not tell.
struct Coverage {
    std::optional<std::uint64_t> cores;  ///< hardware threads, on a machine that does not tell its cores
    std::optional<std::uint64_t> packages;

    bool operator==(Coverage const&) const = default;
};

/// The coverage of each of these lists of CPUs ("0-3,8", as the kernel writes them). Reads the machine's topology,
/// which takes some ms; so ask for all lists at once.
std::vector<Coverage> cover(std::vector<std::string> const& cpu_lists);

/// Packages, cores, threads, NUMA nodes, caches and memory of this machine, as hwloc sees them.
Json describe_topology();

}  // namespace weir
