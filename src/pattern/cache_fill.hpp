#pragma once

#include <cstdint>
#include <optional>

#include "pattern/pattern.hpp"

namespace weir {

/// What can come into the page cache, of all ranks together.
struct CacheFill {
    std::uint64_t bytes = 0;
    std::optional<Seconds> rank_time{};  ///< in which it has to come, summed over the ranks; nothing: no limit
    std::uint64_t last_requests = 0;     ///< bytes that may come after that time: requests that had begun

    bool operator==(CacheFill const&) const = default;
};

/// What the pattern can bring into the page cache: its files, but no more than the pages that it writes or reads.
/// Reading what the pattern wrote brings nothing more, so only phases that write count where there are any.
CacheFill cache_fill(Pattern);

/// How much comes where a rank brings in so many bytes a second.
std::uint64_t bytes_at_rate(CacheFill const&, double rank_bytes_per_s);

}  // namespace weir
