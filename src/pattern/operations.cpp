#include "pattern/operations.hpp"

namespace weir {

Operations::Operations(Access const& access, Rank rank) : kind_(access.order.kind), length_(access.extent.length) {
    if (!access.ranks.contains(rank)) {
        return;
    }
    count_ = requests_per_rank(access);
    start_ = extent_of(access, rank).start;
    offset_ = start_;
    pieces_ = pieces(access.extent.levels);
    auto const levels = merged(access.extent.levels);
    for (auto level = levels.rbegin(); level != levels.rend(); ++level) {
        digits_.push_back({level->count, level->count, level->stride});
    }
    key_ = mix(access.order.seed ^ mix(rank.value));
    if (kind_ == OrderKind::shuffled) {
        shuffle_.emplace(pieces_, key_);
    }
}

void Operations::jump(Operation& operation) {
    auto const turn = made_ - 1;
    auto const ordinal = shuffle_ ? (*shuffle_)(turn) : below(pieces_, mix(key_ + turn));
    auto rest = ordinal;
    auto offset = start_;
    for (auto const& digit : digits_) {
        auto const above = rest / digit.count;
        offset += (rest - above * digit.count) * static_cast<std::uint64_t>(digit.stride);
        rest = above;
    }
    operation = {offset, length_, ordinal};
}

}  // namespace weir
