#pragma once

#include "apps/flash/gas/gather.hpp"

namespace weir::flash {

/// Guard cells of some of this rank's blocks: those of a block beside it in one direction (a face, an edge or a corner)
/// are a guard region, `guards` layers deep.
///
/// - Beside a block of the same level, which may be a parent: its cells.
/// - Beside a coarser one: interpolated from the coarse cells, in which those of parents take part.
/// - Beyond a boundary: the outermost cells (outflow), or mirror images (reflecting). Beyond it and beside a coarser
///   block, the coarse cells are continued so before they are interpolated.
///
/// By the 2:1 balance every cell that is needed is in a block of the same or of the next coarser level, so that one
/// exchange is enough, with parents filled before.
class GuardCells {
  public:
    struct GuardRegion {
        std::size_t block = 0;
        Direction direction{};
        CellBox cells;
    };

    /// One region for each block of these and each direction, in this order. Collective.
    GuardCells(Blocks const&, std::vector<std::size_t> const& of, std::vector<Direction> const&);

    [[nodiscard]] std::vector<GuardRegion> const& regions() const { return regions_; }

    /// Brings other ranks' cells. Collective.
    void exchange(Blocks const&);

    /// Fills region i, as of the last exchange() and as this rank's blocks are now. Local.
    void fill(Blocks const&, std::size_t i, View<double> const& to, double gamma);

  private:
    /// Where a piece goes: along each axis, the cells of `to` are those of the piece from `start`, each `step` (-1, 0,
    /// 1) further.
    struct PiecePlacement {
        CellBox to;
        Triple start{};
        Triple step{};
        std::array<bool, axes> mirrored{};
    };
    struct GuardSource {
        std::size_t first_piece = 0;
        bool coarse = false;
        CellBox patch;   ///< if coarse: cells around the region, counted from the parent's first cell
        Triple shift{};  ///< and the parent's cell that holds the block's first one
    };

    void add(Blocks const&, std::size_t block, Direction const&);
    void add_patch(Blocks const&, std::size_t parent, CellBox const& patch);
    void add_piece(Blocks const&, std::size_t block, CellBox const& cells, Direction const&);
    void place(Blocks const&, std::size_t i, View<double> const& to);

    std::vector<GuardRegion> regions_;
    std::vector<GuardSource> sources_;
    std::vector<PiecePlacement> placements_;
    std::vector<BlockPiece> pieces_;
    std::vector<Gather> gather_;  ///< one, made last
    Doubles patch_;
};

/// The 26 directions.
std::vector<Direction> all_around();

}  // namespace weir::flash
