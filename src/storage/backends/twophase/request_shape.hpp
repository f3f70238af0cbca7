#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "array/layout/region.hpp"
#include "pattern/piece_lists.hpp"

namespace weir {

/// What a rank asks for in one request, without the place in the file where it is: pieces in the order of the file.
class RequestShape {
  public:
    /// Of pieces of the file whose plan's space begins at `base`.
    RequestShape(std::span<Piece const> pieces, std::uint64_t base);

    /// Where the plan's space would have to begin for these pieces to have this shape; nothing where they have another
    /// one, and where there are none.
    [[nodiscard]] std::optional<std::uint64_t> base_of(std::span<Piece const> pieces) const;

    [[nodiscard]] bool empty() const { return pieces_.empty(); }

  private:
    std::vector<Piece> pieces_;  ///< offsets count from the base
};

/// No more than `most` pieces that hold all of these: gaps shorter than `gap` are left in, and longer ones where there
/// would be too many otherwise.
std::vector<Piece> outline(std::span<Piece const> pieces, std::uint64_t gap, std::uint64_t most);

/// How many bytes of the pieces lie before this one of the file.
std::size_t bytes_before(std::span<Piece const> pieces, std::uint64_t end);

/// The pieces of all ranks together, each byte once, in the order of the file; those that touch as one.
std::vector<Piece> united(std::vector<Piece> pieces);

/// These pieces of the file as the region that a plan moves; its space begins at `base`.
array::Region region_of(std::span<Piece const> pieces, std::uint64_t base);

}  // namespace weir
