#pragma once

#include <cstdint>
#include <vector>

#include "bench/network/call_choices.hpp"

namespace weir {

/// Counts and displacements in bytes, as `int`, of one message of each rank: for functions whose name ends in v.
struct RankCounts {
    /// `ranks` messages of `bytes` on average. Throws Error (usage) if they are more than 2^31 - 1 bytes together.
    RankCounts(Counts, std::uint64_t bytes, std::uint64_t ranks);

    std::vector<int> counts;
    std::vector<int> places;

    [[nodiscard]] std::uint64_t all() const {
        return static_cast<std::uint64_t>(places.back()) + static_cast<std::uint64_t>(counts.back());
    }
    [[nodiscard]] std::uint64_t count(int rank) const {
        return static_cast<std::uint64_t>(counts[static_cast<std::size_t>(rank)]);
    }
    [[nodiscard]] std::uint64_t place(int rank) const {
        return static_cast<std::uint64_t>(places[static_cast<std::size_t>(rank)]);
    }
};

}  // namespace weir
