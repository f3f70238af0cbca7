#include "pattern/phase.hpp"

#include "core/random.hpp"

namespace weir {

Rank acting_rank(Reorder const& reorder, Rank rank, std::uint64_t ranks) {
    switch (reorder.kind) {
        case ReorderKind::shift:
            return Rank{(rank.value + reorder.shift) % ranks};
        case ReorderKind::shuffle: {
            // The next rank in a shuffled ring: every part is done once, and no rank does its own.
            Shuffle const ring(ranks, reorder.seed);
            return Rank{ring((ring.inverse(rank.value) + 1) % ranks)};
        }
        case ReorderKind::none:
            break;
    }
    return rank;
}

Rank doing_rank(Reorder const& reorder, Rank acting, std::uint64_t ranks) {
    switch (reorder.kind) {
        case ReorderKind::shift:
            return Rank{(acting.value + ranks - reorder.shift % ranks) % ranks};
        case ReorderKind::shuffle: {
            Shuffle const ring(ranks, reorder.seed);
            return Rank{ring((ring.inverse(acting.value) + ranks - 1) % ranks)};
        }
        case ReorderKind::none:
            break;
    }
    return acting;
}

}  // namespace weir
