#pragma once

#include <mpi.h>

#include <array>
#include <cstddef>
#include <optional>
#include <span>

#include "apps/common/grid.hpp"
#include "comm/communicator.hpp"

namespace weir {

/// Cells along each axis that a block should have to supply its neighbours' ghosts: the stencil width of high-order
/// schemes.
constexpr Index thick_block = 4;

/// The ranks along x, y and z that cut a grid into equal blocks: the requested ones, or those whose blocks are thick,
/// if any are, have even numbers of cells, if any do, and the least surface. Error (usage) if their product is not
/// `size` or they do not divide the cells. Local.
Triple ranks_along(Grid const&, Index size, std::optional<Triple> const& asked);

/// A periodic grid cut into equal blocks, (block, block, block). Rank r has the coordinates (r % px, r / px % py, r /
/// px / py) among px * py * pz ranks: x runs fastest, as in memory and in files.
class Decomposition {
  public:
    /// As ranks_along(). Local.
    Decomposition(Communicator, Grid const&, std::optional<Triple> const& ranks = {});

    [[nodiscard]] Communicator const& comm() const { return comm_; }
    [[nodiscard]] Grid const& grid() const { return grid_; }
    [[nodiscard]] Triple const& ranks() const { return ranks_; }
    [[nodiscard]] Triple const& cells() const { return cells_; }  ///< of this rank's block
    [[nodiscard]] Triple const& start() const { return start_; }  ///< its first cell in the global grid

    /// The rank before (-1) or after (+1) this one along an axis; itself if the axis is not cut.
    [[nodiscard]] int neighbour(std::size_t axis, int side) const;
    [[nodiscard]] bool is_cut(std::size_t axis) const { return ranks_[axis] > 1; }

    /// The same ranks with half the cells along each axis.
    [[nodiscard]] Decomposition coarser() const;

  private:
    Communicator comm_;
    Grid grid_;
    Triple ranks_{};
    Triple cells_{};
    Triple start_{};
    Triple place_{};
};

/// One exchange with both neighbours along an axis that is cut: this block's outermost cells for their ghosts. Work,
/// and other exchanges with another tag, may be done between start and finish. Collective along the axis.
class FaceExchange {
  public:
    struct Faces {
        std::span<double const> to_low;
        std::span<double const> to_high;
        std::span<double> from_low;
        std::span<double> from_high;
    };

    /// The buffers must stay valid and unchanged until finish().
    void start(Decomposition const&, std::size_t axis, int tag, Faces const&);
    void finish();

  private:
    std::array<MPI_Request, 4> requests_{MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    bool under_way_ = false;
};

}  // namespace weir
