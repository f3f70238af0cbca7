#include "pattern/access.hpp"

#include "core/error.hpp"

namespace weir {

std::uint64_t requests_per_rank(Access const& access) {
    return access.order.kind == OrderKind::random ? access.order.draws : pieces(access.extent.levels);
}

Extent extent_of(Access const& access, Rank rank) {
    expect(access.ranks.contains(rank), "the rank takes part in the access");
    auto extent = access.extent;
    auto const shift = displacement(access.rank_levels, access.ranks.index_of(rank));
    extent.start = static_cast<std::uint64_t>(static_cast<std::int64_t>(extent.start) + shift);
    return extent;
}

std::uint64_t end_of(Access const& access) {
    auto whole = access.extent;
    whole.levels.insert(whole.levels.begin(), access.rank_levels.begin(), access.rank_levels.end());
    return end_of(whole);
}

}  // namespace weir
