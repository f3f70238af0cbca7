#pragma once

#include <string>
#include <utility>
#include <vector>

#include "pattern/expansion.hpp"

namespace weir::testing {

/// A phase of these steps, of which nothing else is said.
inline Phase phase_of(std::string name, std::vector<Step> steps) {
    Phase phase;
    phase.name = std::move(name);
    phase.steps = std::move(steps);
    return phase;
}

/// These ranks have pieces like this; those of one rank lie behind those of the one before by a level each.
inline Access access_of(RankSet const& ranks, std::vector<Level> rank_levels, Extent extent) {
    Access access;
    access.ranks = ranks;
    access.rank_levels = std::move(rank_levels);
    access.extent = std::move(extent);
    return access;
}

/// visit(rank, deed) for all that all ranks do, one rank after the other.
template <class Visit>
void expand_all(Pattern const& pattern, Visit visit) {
    for (std::uint64_t rank = 0; rank < pattern.ranks; ++rank) {
        expand(pattern, Rank{rank}, [&](Deed const& deed) { visit(rank, deed); });
    }
}

}  // namespace weir::testing
