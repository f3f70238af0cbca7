#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "pattern/extent.hpp"
#include "pattern/piece_lists.hpp"

namespace weir {

/// Where the bytes of a file are in a view of some of them: the number of bytes of the view before them. The view holds
/// its bytes in file order, each once.
class ViewPlaces {
  public:
    /// Of nested strides.
    explicit ViewPlaces(Extent const&);

    /// Of pieces in file order.
    explicit ViewPlaces(std::span<Piece const>);

    /// Of a byte that is in the view.
    [[nodiscard]] std::uint64_t of(std::uint64_t offset) const;

  private:
    struct Step {
        std::uint64_t count = 1;
        std::uint64_t stride = 0;
        std::uint64_t bytes = 0;  ///< of the view in one such step
    };
    std::uint64_t start_ = 0;
    std::vector<Step> steps_;  ///< the longest first
    std::vector<Piece> pieces_;
    std::vector<std::uint64_t> before_;  ///< bytes of the view before each piece
};

/// Do the nested strides go through the file forwards, each byte once? MPI requires that of a view that is written.
bool goes_forward_once(Extent const&);

}  // namespace weir
