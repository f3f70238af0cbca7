#pragma once

#include "apps/flash/gas/guard_cells.hpp"

namespace weir::flash {

/// This rank's blocks, parents too, with guard cells all around.
class Surroundings {
  public:
    /// For blocks of this tree. Collective.
    explicit Surroundings(Blocks const&);

    /// Brings other ranks' cells. Collective.
    void exchange(Blocks const& blocks) { guard_cells_.exchange(blocks); }

    /// A block and `guards` layers around it, as of the last exchange(). Valid until the next call. Local.
    View<double const> around(Blocks const&, std::size_t b, double gamma);

  private:
    GuardCells guard_cells_;
    CellBox box_;
    Doubles cells_;
};

}  // namespace weir::flash
