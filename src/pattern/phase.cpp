#include "pattern/phase.hpp"

#include "core/random.hpp"

namespace weir {

namespace {

/// The rank so many places (at most `ranks`) further in the order, or for `shuffle` in the shuffled ring.
Rank turned(Reorder const& reorder, Rank rank, std::uint64_t ranks, std::uint64_t places) {
    if (reorder.kind == ReorderKind::shuffle) {
        Shuffle const ring(ranks, reorder.seed);
        return Rank{ring((ring.inverse(rank.value) + places) % ranks)};
    }
    return Rank{(rank.value + places) % ranks};
}

/// Places from a rank to the one whose part it does. In a shuffled ring the next: every part is done once, and no rank
/// does its own.
std::uint64_t places_of(Reorder const& reorder, std::uint64_t ranks) {
    switch (reorder.kind) {
        case ReorderKind::shift:
            return reorder.shift % ranks;
        case ReorderKind::shuffle:
            return 1 % ranks;
        case ReorderKind::none:
            break;
    }
    return 0;
}

}  // namespace

Rank acting_rank(Reorder const& reorder, Rank rank, std::uint64_t ranks) {
    return turned(reorder, rank, ranks, places_of(reorder, ranks));
}

Rank doing_rank(Reorder const& reorder, Rank acting, std::uint64_t ranks) {
    return turned(reorder, acting, ranks, ranks - places_of(reorder, ranks));
}

}  // namespace weir
