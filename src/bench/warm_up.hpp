#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "comm/communicator.hpp"
#include "comm/launch_check.hpp"
#include "core/clock.hpp"
#include "pattern/cache_fill.hpp"

namespace weir {

/// What touching a node's memory before measuring showed; of the slowest rank.
struct WarmUp {
    std::uint64_t bytes = 0;      ///< touched on this node, by all its ranks
    double first_s_per_page = 0;  ///< a page is 4 KiB
    double again_s_per_page = 0;  ///< when touched a second time
};

/// The part of `bytes`, spread evenly over all ranks, that the ranks of one node have; rounded up.
std::uint64_t share_of_node(std::uint64_t bytes, std::uint64_t node_ranks, std::uint64_t ranks);

/// Touches so much of each node's memory that the page cache will find `bytes` of it backed by the host, as far as
/// three quarters of what is available. A guest's memory that its host has not yet backed is slow at first touch, and
/// would be measured as the disk's. Ranks that cannot have the memory touch none. Collective.
WarmUp warm_memory(Communicator const&, std::uint64_t bytes, Clock const&);

/// The same for the case that fills most of the page cache. What a case with a time limit fills in that is worked out
/// from how long this machine's memory takes to touch. Collective.
WarmUp warm_for_cases(Communicator const&, std::vector<CacheFill> const&, Clock const&);

/// Says so if memory was not yet backed. The touching has mended it for this run.
std::optional<Warning> judge_warm_up(WarmUp const&);

Json to_json(WarmUp const&);

}  // namespace weir
