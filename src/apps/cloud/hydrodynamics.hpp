#pragma once

#include <optional>
#include <vector>

#include "apps/cloud/state.hpp"
#include "apps/common/decomposition.hpp"
#include "apps/common/gas/pencils.hpp"

namespace weir::cloud {

using gas::Gas;
using gas::ghosts;
using gas::lanes;
using gas::Pencils;
using gas::Raised;
using gas::RiemannSolver;

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
    struct PencilRange {
        Index begin = 0;
        Index end = 0;
        Doubles to_low, to_high, from_low, from_high;
        FaceExchange exchange;
    };

    void send(State const&, std::size_t which);
    void sweep_part(State&, PencilRange&, double dt_over_dx, Gas const&, std::optional<Cell>& bad);
    void load(State const&, PencilRange const&, Index outer, Index inner, Index width);
    void load_ghosts(PencilRange const&, Index outer, Index inner, Index width, std::size_t variable);
    void store(State&, Index outer, Index inner, Index width) const;
    [[nodiscard]] Cell find_bad(Index outer, Index inner) const;
    [[nodiscard]] Index ghost_place(PencilRange const&, std::size_t variable, Index layer, Index outer) const;

    Decomposition where_;
    std::size_t axis_;
    std::size_t inner_axis_;  ///< lanes are adjacent along it
    std::size_t outer_axis_;
    Triple stride_;                      ///< of cells in memory, along x, y, z
    std::array<Variable, 5> variables_;  ///< in the order of Pencils::mean
    Pencils pencils_;
    std::array<PencilRange, 2> parts_;
};

/// The order in which the three directions are swept: alternating makes a pair of steps second order in time. Strang:
/// On the construction and comparison of difference schemes, SIAM Journal on Numerical Analysis 5 (1968).
enum class SweepOrder { xyz, zyx };

/// Advances a gas by sweeps along the axes. A sweep exchanges four layers of cells only with the neighbours along its
/// axis; half of the faces are in flight while the other half's pencils are swept.
class Hydrodynamics {
  public:
    /// Error (usage) if a block has fewer than 4 cells along an axis.
    Hydrodynamics(Decomposition const&, Gas const&);

    /// The time in which the fastest signal crosses `gas.cfl` of a cell. Collective.
    [[nodiscard]] double time_step(State const&) const;

    /// One step without gravity. Error (cannot_run) on all ranks, with cell, time and step, if a density or pressure is
    /// not positive. Collective.
    void advance(State&, double dt, SweepOrder);

    /// On this rank, since the start. Local.
    [[nodiscard]] Raised raised() const;

  private:
    Gas gas_;
    std::vector<AxisSweep> sweeps_;
};

}  // namespace weir::cloud
