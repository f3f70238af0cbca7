#pragma once

#include <compare>
#include <cstdint>
#include <vector>

namespace weir {

/// A rank of the pattern's communicator; a separate type, so that it is never confused with a count.
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

/// The ranks of a step: those of disjoint sets, or all if none is listed.
using Ranks = std::vector<RankSet>;

bool contains(Ranks const&, Rank);

/// The number of these ranks, of `all`.
std::uint64_t size_of(Ranks const&, std::uint64_t all);

/// A canonical form: all ranks as none listed, sets in ascending order, a single rank with step 1.
Ranks canonical(Ranks, std::uint64_t all);

/// The number of ranks in both sets; in closed form. No rank of either may be 2^63 or more.
std::uint64_t common(RankSet const&, RankSet const&);

}  // namespace weir
