#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "comm/communicator.hpp"
#include "comm/launch_check.hpp"
#include "core/clock.hpp"
#include "pattern/cache_fill.hpp"

namespace weir {

/// The result of touching a node's memory before measuring; of the slowest rank.
struct WarmUp {
    std::uint64_t bytes = 0;      ///< touched on this node, by all its ranks
    double first_s_per_page = 0;  ///< a page is 4 KiB
    double again_s_per_page = 0;  ///< on the second touch
};

/// The share of `bytes`, spread evenly over all ranks, of the ranks of one node; rounded up.
std::uint64_t share_of_node(std::uint64_t bytes, std::uint64_t node_ranks, std::uint64_t ranks);

/// Touches enough of each node's memory that `bytes` of page cache will be backed by the host, up to three quarters of
/// the available memory. Guest memory not yet backed by its host is slow at first touch, and would be measured as the
/// disk's time. Ranks that cannot allocate the memory touch none. Collective.
WarmUp warm_memory(Communicator const&, std::uint64_t bytes, Clock const&);

/// The same for the case that fills most of the page cache. For a case with a time limit the amount is estimated from
/// the time to touch this machine's memory. Collective.
WarmUp warm_for_cases(Communicator const&, std::vector<CacheFill> const&, Clock const&);

/// A warning if memory was not yet backed. The touching has corrected it for this run.
std::optional<Warning> judge_warm_up(WarmUp const&);

Json to_json(WarmUp const&);

}  // namespace weir
