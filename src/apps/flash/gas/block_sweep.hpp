#pragma once

#include <optional>
#include <vector>

#include "apps/common/gas/pencils.hpp"
#include "apps/flash/gas/guard_cells.hpp"
#include "apps/flash/gas/totals.hpp"

namespace weir::flash {

/// A cell of a block whose density or pressure is not positive.
struct BadCell {
    std::size_t block = 0;
    Triple cell{};
};

/// Sweeps the leaves along one axis, block by block; where levels meet, the coarse cells get the mean of the fluxes
/// through the fine cells' faces instead of their own, so that mass, momentum and energy are kept. Berger, Colella:
/// Local adaptive mesh refinement for shock hydrodynamics, J. Comput. Phys. 82 (1989).
class BlockSweep {
  public:
    /// For blocks of this tree. Collective.
    BlockSweep(Blocks const&, std::size_t axis);

    /// Parents must be filled; those of this rank are outdated afterwards. A cell that is no gas afterwards, if there
    /// is one here: this rank takes part to the end nevertheless. Collective.
    std::optional<BadCell> run(Blocks&, double dt, gas::Gas const&);

    /// What all runs so far have carried out of the domain, leaf by leaf of this rank: by the fluxes through the faces
    /// of the leaf that lie on the boundary, with which its cells were changed. Negative: it came in. Local.
    [[nodiscard]] std::vector<LeafTotals> const& left() const { return left_; }

  private:
    enum BlockSide : std::size_t { low, high };
    /// Fluxes through the side of a block at which levels meet, [variable][outer][inner], in the order of a sweep.
    struct Register {
        enum class Content : std::uint8_t { none, own, mean_of_fine };
        Content kind = Content::none;
        std::size_t first = 0;
    };
    /// A quarter of the side of a coarse block, and the fine block that touches it.
    struct Quarter {
        std::size_t leaf = 0;
        BlockSide side = low;
        Index outer = 0;
        Index inner = 0;
    };

    void add_registers(Blocks const&, std::vector<BlockPiece>& pieces);
    void load_guards(Blocks const&, double gamma);
    void sweep_block(Blocks&, std::size_t leaf, double dt, gas::Gas const&);
    void load(View<double> const& cells, std::size_t leaf, Index outer, Index inner);
    void record(Register const&, Index face, Index outer, Index inner);
    void count_out(std::size_t leaf, double faces);
    void correct(Blocks&, double dt, double gamma);
    void correct(Blocks&, Quarter const&, double const* fine, double dt, double gamma);
    [[nodiscard]] View<double> guards_of(std::size_t region);
    [[nodiscard]] Triple cell(Index along, Index outer, Index inner) const;

    Index n_;
    std::size_t axis_, inner_axis_, outer_axis_;  ///< lanes are adjacent along the inner one
    std::vector<std::size_t> leaves_;
    GuardCells guard_cells_;
    Doubles guards_;  ///< [leaf][outer][variable][side][layer][inner]: what is loaded together is together
    std::vector<std::array<Register, 2>> registers_;
    std::vector<std::array<bool, 2>> at_boundary_;  ///< of each leaf's sides
    std::vector<LeafTotals> left_;
    Doubles fluxes_;
    std::vector<Quarter> quarters_;
    std::vector<Gather> fine_;  ///< one, made last: a piece a quarter
    gas::Pencils pencils_;
    std::optional<BadCell> bad_;
};

}  // namespace weir::flash
