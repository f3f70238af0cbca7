#pragma once

#include <cstdint>
#include <optional>

#include "pattern/pattern.hpp"

namespace weir {

/// An upper bound of the page cache used, over all ranks.
struct CacheFill {
    std::uint64_t bytes = 0;
    std::optional<Seconds> rank_time{};  ///< time limit for it, summed over the ranks; nothing: no limit
    std::uint64_t last_requests = 0;     ///< bytes that may come after that time: requests in flight

    bool operator==(CacheFill const&) const = default;
};

/// The most page cache that the pattern can fill: its files, but no more than the pages that it writes or reads.
/// Reading back written data adds nothing, so only phases that write count if there are any.
CacheFill cache_fill(Pattern);

/// The bytes for a given rate per rank, in bytes per second.
std::uint64_t bytes_at_rate(CacheFill const&, double rank_bytes_per_s);

}  // namespace weir
