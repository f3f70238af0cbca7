#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "apps/common/grid.hpp"

namespace weir::flash {

/// A block's place: its level (0: the root blocks; FLASH's refine level is one more) and its indices among the blocks
/// of that level, of which there are roots * 2^level along each axis.
struct Position {
    int level = 0;
    Triple at{};

    friend bool operator==(Position const&, Position const&) = default;
};

/// Blocks of this level along each axis.
constexpr Triple blocks_along(Triple const& roots, int level) {
    return {roots[0] << level, roots[1] << level, roots[2] << level};
}

/// Child k of a block: x runs fastest.
constexpr Position child_of(Position const& p, int k) {
    return {p.level + 1, {2 * p.at[0] + k % 2, 2 * p.at[1] + k / 2 % 2, 2 * p.at[2] + k / 4}};
}

constexpr Position parent_of(Position const& p) { return {p.level - 1, {p.at[0] / 2, p.at[1] / 2, p.at[2] / 2}}; }

// A position as a number that sorts like FLASH's blocks: the Morton code of the lower corner, counted in blocks of the
// deepest possible level, and below it the level. A parent comes directly before its first child.
// 64 bits = 3 * 19 of the code + 5 of the level (and 2 unused).
using Key = std::uint64_t;
constexpr int key_axis_bits = 19;
constexpr int key_level_bits = 5;

/// The deepest level whose positions have keys: 19 for one root block, one less for each doubling of the roots.
/// Negative if not even the roots have.
constexpr int deepest_level(Triple const& roots) {
    auto bits = 0;
    for (auto const n : roots) {
        bits = std::max(bits, static_cast<int>(std::bit_width(static_cast<std::uint64_t>(n - 1))));
    }
    return key_axis_bits - bits;
}

/// Whether it is a block within these roots, and not too deep for a key.
constexpr bool is_within(Position const& p, Triple const& roots) {
    if (p.level < 0 || p.level > deepest_level(roots)) {
        return false;
    }
    auto const along = blocks_along(roots, p.level);
    return p.at[0] >= 0 && p.at[1] >= 0 && p.at[2] >= 0 && p.at[0] < along[0] && p.at[1] < along[1] &&
           p.at[2] < along[2];
}

/// Bit i of a number below 2^21 at bit 3i, and back. Each step doubles the number of pieces, and their distance.
constexpr std::uint64_t spread_bits(std::uint64_t x) {
    x = (x | x << 32U) & 0x001f00000000ffffU;
    x = (x | x << 16U) & 0x001f0000ff0000ffU;
    x = (x | x << 8U) & 0x100f00f00f00f00fU;
    x = (x | x << 4U) & 0x10c30c30c30c30c3U;
    return (x | x << 2U) & 0x1249249249249249U;
}
constexpr std::uint64_t gather_bits(std::uint64_t x) {
    x &= 0x1249249249249249U;
    x = (x | x >> 2U) & 0x10c30c30c30c30c3U;
    x = (x | x >> 4U) & 0x100f00f00f00f00fU;
    x = (x | x >> 8U) & 0x001f0000ff0000ffU;
    x = (x | x >> 16U) & 0x001f00000000ffffU;
    return (x | x >> 32U) & 0x1fffffU;
}

constexpr int level_of(Key key) { return static_cast<int>(key & ((Key{1} << key_level_bits) - 1)); }

/// The position must be within the roots, and not deeper than `deepest`, their deepest_level().
constexpr Key key_of(Position const& p, int deepest) {
    Key code = 0;
    for (std::size_t axis = 0; axis < axes; ++axis) {
        code |= spread_bits(static_cast<std::uint64_t>(p.at[axis]) << (deepest - p.level)) << axis;
    }
    return code << key_level_bits | static_cast<Key>(p.level);
}
constexpr Position position_of(Key key, int deepest) {
    Position p{level_of(key), {}};
    for (std::size_t axis = 0; axis < axes; ++axis) {
        p.at[axis] = static_cast<Index>(gather_bits(key >> key_level_bits >> axis) >> (deepest - p.level));
    }
    return p;
}

}  // namespace weir::flash
