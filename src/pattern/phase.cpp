#include "pattern/phase.hpp"

#include "core/random.hpp"

namespace weir {

Rank acting_rank(Reorder const& reorder, Rank rank, std::uint64_t ranks) {
    switch (reorder.kind) {
        case ReorderKind::shift:
            return Rank{(rank.value + reorder.shift) % ranks};
        case ReorderKind::shuffle:
            return Rank{Shuffle(ranks, reorder.seed)(rank.value)};
        case ReorderKind::none:
            break;
    }
    return rank;
}

}  // namespace weir
