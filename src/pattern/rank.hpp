#pragma once

#include <compare>
#include <cstdint>

namespace weir {

/// A rank of the communicator that a pattern is for; a type of its own, so that it is never mixed up with a count.
struct Rank {
    std::uint64_t value = 0;

    auto operator<=>(Rank const&) const = default;
};

/// The ranks first, first + step, ... (`count` of them).
struct RankSet {
    std::uint64_t first = 0;
    std::uint64_t count = 1;
    std::uint64_t step = 1;

    bool operator==(RankSet const&) const = default;

    [[nodiscard]] bool contains(Rank rank) const {
        return rank.value >= first && (rank.value - first) % step == 0 && (rank.value - first) / step < count;
    }

    /// Position of a contained rank in the set, from 0.
    [[nodiscard]] std::uint64_t index_of(Rank rank) const { return (rank.value - first) / step; }
};

}  // namespace weir
