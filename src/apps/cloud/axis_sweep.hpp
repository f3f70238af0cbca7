#pragma once

#include <optional>

#include "apps/cloud/pencils.hpp"
#include "apps/cloud/state.hpp"
#include "apps/common/face_exchange.hpp"

namespace weir::cloud {

/// A cell of the global grid.
using Cell = Triple;

/// Sweeps a block along one axis, eight neighbouring pencils at a time.
class AxisSweep {
  public:
    /// Error (usage) if the block has fewer cells along the axis than the neighbour's ghost layers need.
    AxisSweep(Decomposition const&, std::size_t axis);

    /// A cell whose density or pressure is not positive after the sweep, if any. Collective along the axis.
    std::optional<Cell> run(State&, double dt, Gas const&);

    [[nodiscard]] Pencils const& pencils() const { return pencils_; }

  private:
    /// Pencils [begin, end) of the outer one of the two transverse axes, whose ghosts are sent in one message each way.
    struct Part {
        Index begin = 0;
        Index end = 0;
        Doubles to_low, to_high, from_low, from_high;
        FaceExchange exchange;
    };

    void send(State const&, std::size_t which);
    void sweep_part(State&, Part&, double dt_over_dx, Gas const&, std::optional<Cell>& bad);
    void load(State const&, Part const&, Index outer, Index inner, Index width);
    void load_ghosts(Part const&, Index outer, Index inner, Index width, std::size_t variable);
    void store(State&, Index outer, Index inner, Index width) const;
    [[nodiscard]] Cell find_bad(Index outer, Index inner, Index width) const;
    [[nodiscard]] Index ghost_place(Part const&, std::size_t variable, Index layer, Index outer) const;

    Decomposition where_;
    std::size_t axis_;
    std::size_t inner_axis_;  ///< lanes are adjacent along it
    std::size_t outer_axis_;
    Triple stride_;                      ///< of cells in memory, along x, y, z
    std::array<Variable, 5> variables_;  ///< in the order of Pencils::mean
    Pencils pencils_;
    std::array<Part, 2> parts_;
};

}  // namespace weir::cloud
