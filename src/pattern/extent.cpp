#include "pattern/extent.hpp"

namespace weir {

std::uint64_t pieces(std::vector<Level> const& levels) {
    std::uint64_t product = 1;
    for (auto const& level : levels) {
        product *= level.count;
    }
    return product;
}

std::int64_t displacement(std::vector<Level> const& levels, std::uint64_t ordinal) {
    std::int64_t sum = 0;
    for (auto level = levels.rbegin(); level != levels.rend(); ++level) {
        sum += static_cast<std::int64_t>(ordinal % level->count) * level->stride;
        ordinal /= level->count;
    }
    return sum;
}

bool are_contiguous(std::vector<Level> const& levels, std::uint64_t length) {
    auto next = length;
    for (auto level = levels.rbegin(); level != levels.rend(); ++level) {
        if (level->count > 1 && level->stride != static_cast<std::int64_t>(next)) {
            return false;
        }
        next *= level->count;
    }
    return true;
}

std::vector<Level> merged(std::vector<Level> const& levels) {
    std::vector<Level> result;
    for (auto const& level : levels) {
        if (level.count == 1) {
            continue;
        }
        if (!result.empty() && result.back().stride == static_cast<std::int64_t>(level.count) * level.stride) {
            result.back() = {result.back().count * level.count, level.stride};
        } else {
            result.push_back(level);
        }
    }
    return result;
}

Extent coalesced(Extent extent) {
    extent.levels = merged(extent.levels);
    while (!extent.levels.empty() && extent.levels.back().stride == static_cast<std::int64_t>(extent.length)) {
        extent.length *= extent.levels.back().count;
        extent.levels.pop_back();
    }
    return extent;
}

std::uint64_t end_of(Extent const& extent) {
    std::int64_t farthest = 0;
    for (auto const& level : extent.levels) {
        if (level.stride > 0) {
            farthest += static_cast<std::int64_t>(level.count - 1) * level.stride;
        }
    }
    return extent.start + static_cast<std::uint64_t>(farthest) + extent.length;
}

}  // namespace weir
