#pragma once

#include <cstdint>
#include <vector>

#include "bench/network/call_choices.hpp"
#include "bench/network/mpi_forms.hpp"

namespace weir {

/// Counts and displacements in bytes of one message of each rank: for functions whose name ends in v.
struct RankCounts {
    /// `ranks` messages of `bytes` on average. Throws Error (usage) if they are more than 2^31 - 1 bytes together and
    /// this MPI counts by `int`.
    RankCounts(Counts, std::uint64_t bytes, std::uint64_t ranks);

    std::vector<ElementCount> counts;
    std::vector<Displacement> places;

    [[nodiscard]] std::uint64_t all() const {
        return static_cast<std::uint64_t>(places.back()) + static_cast<std::uint64_t>(counts.back());
    }
    [[nodiscard]] std::uint64_t count(int rank) const {
        return static_cast<std::uint64_t>(counts[static_cast<std::size_t>(rank)]);
    }
    [[nodiscard]] std::uint64_t place(int rank) const {
        return static_cast<std::uint64_t>(places[static_cast<std::size_t>(rank)]);
    }
};

}  // namespace weir
