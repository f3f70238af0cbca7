#pragma once

#include <cstdint>
#include <vector>

namespace weir {

/// One level of nested strides: `count` positions, `stride` bytes apart.
struct Level {
    std::uint64_t count = 1;
    std::int64_t stride = 0;

    bool operator==(Level const&) const = default;
};

/// Pieces of a file as nested strides: a start, levels from the slowest to the fastest, and the contiguous length of
/// each piece, all in bytes. Without levels it is one piece.
struct Extent {
    std::uint64_t start = 0;
    std::vector<Level> levels;
    std::uint64_t length = 0;

    bool operator==(Extent const&) const = default;
};

/// The number of pieces of nested strides: the product of the counts.
std::uint64_t pieces(std::vector<Level> const& levels);

/// The offset of the piece with this ordinal, relative to the start. Ordinals count the fastest level first.
std::int64_t displacement(std::vector<Level> const& levels, std::uint64_t ordinal);

/// Are pieces of this length at these positions contiguous in their order, without overlap?
bool are_contiguous(std::vector<Level> const& levels, std::uint64_t length);

/// The same positions in the same order with fewer levels: drops levels of one, and merges a level with the next faster
/// one if its stride is the faster level's complete length.
std::vector<Level> merged(std::vector<Level> const&);

/// The same bytes in as few pieces as the levels show: adjacent pieces become one.
Extent coalesced(Extent);

/// One past the last byte of the extent.
std::uint64_t end_of(Extent const&);

}  // namespace weir
