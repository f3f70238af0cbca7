#include "bench/network/rank_counts.hpp"

#include <limits>

#include "core/error.hpp"
#include "core/units.hpp"

namespace weir {
namespace {

/// Bytes of the ranks before `rank`: in proportion to 1, 2, 3, ..., whose sum over all ranks is that of equal ones.
std::uint64_t ramped_before(std::uint64_t all, std::uint64_t rank, std::uint64_t ranks) {
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::uint64_t>(static_cast<Wide>(all) * (rank * (rank + 1)) / (ranks * (ranks + 1)));
}

}  // namespace

RankCounts::RankCounts(Counts kind, std::uint64_t bytes, std::uint64_t ranks) {
    auto const all = bytes * ranks;
    validate(all <= std::numeric_limits<Displacement>::max(),
             "the messages are too large for a function with counts and displacements",
             format_bytes(Bytes(all)) + " of all ranks together are more than 2^31 - 1 bytes",
             "choose smaller messages or fewer ranks");
    for (std::uint64_t rank = 0; rank < ranks; ++rank) {
        auto const before = kind == Counts::equal ? rank * bytes : ramped_before(all, rank, ranks);
        auto const after = kind == Counts::equal ? before + bytes : ramped_before(all, rank + 1, ranks);
        places.push_back(static_cast<Displacement>(before));
        counts.push_back(static_cast<ElementCount>(after - before));
    }
}

}  // namespace weir
