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
    // The slowest digit is what the others leave, without a division.
    for (std::size_t i = 0; i + 1 < digits_.size(); ++i) {
        auto const above = rest / digits_[i].count;
        offset += (rest - above * digits_[i].count) * static_cast<std::uint64_t>(digits_[i].stride);
        rest = above;
    }
    if (!digits_.empty()) {
        offset += rest * static_cast<std::uint64_t>(digits_.back().stride);
    }
    operation = {offset, length_, ordinal};
}

}  // namespace weir
