#pragma once

#include <algorithm>
#include <cstdint>

namespace weir::sim {

/// A contiguous part of a file on one target.
struct Chunk {
    std::uint64_t target = 0;
    std::uint64_t bytes = 0;
    std::uint64_t object_offset = 0;  ///< in the part of the file that the target has
    std::uint64_t stripe = 0;         ///< number of the stripe in the file
    bool partial = false;             ///< not a complete stripe
};

/// A file's stripes, on its targets in turn.
struct Striping {
    std::uint64_t stripe = 1;   ///< bytes
    std::uint64_t stripes = 1;  ///< targets of this file
    std::uint64_t first = 0;    ///< target of its first stripe
    std::uint64_t targets = 1;  ///< of the file system

    /// The beginning of these bytes: what one request of at most `most` bytes covers.
    [[nodiscard]] Chunk chunk_at(std::uint64_t offset, std::uint64_t bytes, std::uint64_t most) const {
        auto const number = offset / stripe;
        auto const within = offset % stripe;
        Chunk chunk;
        chunk.stripe = number;
        chunk.bytes = std::min({bytes, stripe - within, most});
        chunk.target = target_of(number % stripes);
        chunk.object_offset = number / stripes * stripe + within;
        chunk.partial = chunk.bytes % std::min(stripe, most) != 0;
        return chunk;
    }

    /// The target at this place (below `stripes`) among those of the file.
    [[nodiscard]] std::uint64_t target_of(std::uint64_t place) const { return (first + place) % targets; }
};

/// Files begin on the targets in turn.
inline Striping striping_of(std::uint64_t file, std::uint64_t stripe, std::uint64_t stripes, std::uint64_t targets) {
    return {stripe, stripes, file * stripes % targets, targets};
}

}  // namespace weir::sim
