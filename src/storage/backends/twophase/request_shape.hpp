#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "array/layout/region.hpp"
#include "pattern/piece_lists.hpp"

namespace weir {

/// The pieces of one rank's request relative to its base offset, in file order.
class RequestShape {
  public:
    /// Of pieces of the file, for a plan space that begins at `base`.
    RequestShape(std::span<Piece const> pieces, std::uint64_t base);

    /// The base with which these pieces have this shape; nothing if the shape differs, or if there are no pieces.
    [[nodiscard]] std::optional<std::uint64_t> base_of(std::span<Piece const> pieces) const;

    [[nodiscard]] bool empty() const { return pieces_.empty(); }

  private:
    std::vector<Piece> pieces_;  ///< offsets count from the base
};

/// At most `most` pieces that cover all of these: gaps shorter than `gap` are included, and longer ones if there would
/// still be too many.
std::vector<Piece> outline(std::span<Piece const> pieces, std::uint64_t gap, std::uint64_t most);

/// The number of bytes of the pieces before this offset of the file.
std::size_t bytes_before(std::span<Piece const> pieces, std::uint64_t end);

/// The union of all ranks' pieces, in file order; adjacent ones are merged.
std::vector<Piece> united(std::vector<Piece> pieces);

/// These pieces of the file as the region of a plan whose space begins at `base`.
array::Region region_of(std::span<Piece const> pieces, std::uint64_t base);

}  // namespace weir
