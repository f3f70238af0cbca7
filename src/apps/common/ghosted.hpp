#pragma once

#include "apps/common/decomposition.hpp"

namespace weir {

/// A block of doubles with one layer of ghost cells around it, x fastest.
class Ghosted {
  public:
    explicit Ghosted(Triple const& cells)
        : cells_(cells),
          row_(cells[0] + 2),
          plane_(row_ * (cells[1] + 2)),
          values_(static_cast<std::size_t>(plane_ * (cells[2] + 2))) {}

    [[nodiscard]] Triple const& cells() const { return cells_; }
    [[nodiscard]] Index row_stride() const { return row_; }
    [[nodiscard]] Index plane_stride() const { return plane_; }

    /// The cell (0, j, k); ghosts are at -1 and at the number of cells, along each axis.
    [[nodiscard]] double* row(Index j, Index k) { return values_.data() + 1 + row_ * (j + 1) + plane_ * (k + 1); }
    [[nodiscard]] double const* row(Index j, Index k) const {
        return values_.data() + 1 + row_ * (j + 1) + plane_ * (k + 1);
    }
    void clear() { values_.assign(values_.size(), 0.0); }

  private:
    Triple cells_;
    Index row_;
    Index plane_;
    Doubles values_;
};

/// Which ghosts to fill: those next to faces only, or edges and corners too.
enum class GhostLayers { faces, corners };

/// Fills the ghosts of one array after the other from this block's periodic neighbours.
class Halo {
  public:
    /// `cells`: of the arrays on these ranks.
    Halo(Decomposition const&, Triple const& cells);

    /// Collective.
    void fill(Ghosted&, GhostLayers);

  private:
    void start(Ghosted const&, std::size_t axis, GhostLayers);
    void finish(Ghosted&, std::size_t axis, GhostLayers);

    Decomposition where_;
    struct HaloBuffers {
        Doubles to_low, to_high, from_low, from_high;
    };
    std::array<HaloBuffers, axes> buffers_;
    std::array<FaceExchange, axes> exchanges_;
};

}  // namespace weir
