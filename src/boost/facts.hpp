#pragma once

#include <mpi.h>

#include <cstdint>
#include <limits>

#include "boost/one_shot.hpp"

namespace weir::boost {

/// What ranks must know of each other's part of a call, combined over them.
struct Facts {
    // Greatest of all ranks.
    std::uint64_t strange = 0;  ///< something is not understood, or there is no descriptor
    std::uint64_t before = 0;   ///< `furthest` less the rank's first offset
    std::uint64_t end = 0;
    std::uint64_t most_pieces = 0;
    std::uint64_t file_end = 0;  ///< told by the first aggregator
    std::uint64_t quickest = 0;  ///< `furthest` less the nanoseconds that the last call took: none waited less
    // Sums.
    std::uint64_t bytes = 0;
    std::uint64_t hulls = 0;
    std::uint64_t pieces = 0;

    static constexpr auto furthest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());

    [[nodiscard]] Hull hull() const {
        return {static_cast<std::int64_t>(furthest - before), static_cast<std::int64_t>(end)};
    }

    /// Of all ranks. Collective.
    [[nodiscard]] Facts of_all(MPI_Comm comm) const;

  private:
    void add(Facts const& other);
};

}  // namespace weir::boost
