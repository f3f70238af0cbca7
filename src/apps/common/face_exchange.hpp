#pragma once

#include <mpi.h>

#include <array>
#include <span>

#include "apps/common/decomposition.hpp"

namespace weir {

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
