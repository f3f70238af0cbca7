#include "storage/backends/mpiio/view_places.hpp"

#include <algorithm>

namespace weir {

ViewPlaces::ViewPlaces(Extent const& extent) : start_(extent.start) {
    auto bytes = extent.length;
    for (auto level = extent.levels.rbegin(); level != extent.levels.rend(); ++level) {
        if (level->count > 1) {
            steps_.push_back({level->count, static_cast<std::uint64_t>(level->stride), bytes});
        }
        bytes *= level->count;
    }
    std::ranges::reverse(steps_);
}

ViewPlaces::ViewPlaces(std::span<Piece const> pieces) : pieces_(pieces.begin(), pieces.end()) {
    std::uint64_t bytes = 0;
    before_.reserve(pieces_.size());
    for (auto const& piece : pieces_) {
        before_.push_back(bytes);
        bytes += piece.length;
    }
}

std::uint64_t ViewPlaces::of(std::uint64_t offset) const {
    if (!pieces_.empty()) {
        auto const behind = std::ranges::upper_bound(pieces_, offset, {}, &Piece::offset);
        auto const piece = behind - pieces_.begin() - 1;
        return before_[static_cast<std::size_t>(piece)] + offset - pieces_[static_cast<std::size_t>(piece)].offset;
    }
    std::uint64_t place = 0;
    auto rest = offset - start_;
    for (auto const& step : steps_) {
        auto const turns = std::min(rest / step.stride, step.count - 1);
        place += turns * step.bytes;
        rest -= turns * step.stride;
    }
    return place + rest;
}

bool goes_forward_once(Extent const& extent) {
    __extension__ using Wide = __int128;
    auto span = static_cast<Wide>(extent.length);
    for (auto level = extent.levels.rbegin(); level != extent.levels.rend(); ++level) {
        if (level->count > 1 && (level->stride <= 0 || level->stride < span)) {
            return false;
        }
        span += static_cast<Wide>(level->count - 1) * level->stride;
    }
    return true;
}

}  // namespace weir
