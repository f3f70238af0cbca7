#pragma once

#include <cstdint>
#include <vector>

namespace weir {

/// One level of a nest of strides: `count` places, `stride` bytes apart.
struct Level {
    std::uint64_t count = 1;
    std::int64_t stride = 0;

    bool operator==(Level const&) const = default;
};

/// Pieces of a file as a nest of strides: a start, levels from the slowest to the fastest, and the contiguous length of
/// each piece, all in bytes. Without levels it is one piece.
struct Extent {
    std::uint64_t start = 0;
    std::vector<Level> levels;
    std::uint64_t length = 0;

    bool operator==(Extent const&) const = default;
};

/// How many pieces a nest has: the product of its counts.
std::uint64_t pieces(std::vector<Level> const& levels);

/// Where the piece with this ordinal lies, relative to the nest's start. Ordinals count the fastest level first.
std::int64_t displacement(std::vector<Level> const& levels, std::uint64_t ordinal);

/// The same places in the same order with fewer levels: drops levels of one, and merges a level with the next faster
/// one where it goes on in steps of the whole of that.
std::vector<Level> merged(std::vector<Level> const&);

/// The same bytes in as few pieces as its levels show: pieces that touch become one.
Extent coalesced(Extent);

/// One past the greatest byte that the extent touches.
std::uint64_t end_of(Extent const&);

}  // namespace weir
