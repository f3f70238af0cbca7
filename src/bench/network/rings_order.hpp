#pragma once

#include <cstdint>
#include <vector>

namespace weir {

/// A rank's neighbours in a ring.
struct RingNeighbours {
    std::uint64_t left = 0;
    std::uint64_t right = 0;

    bool operator==(RingNeighbours const&) const = default;
};

/// The ranks in the order of a ring: ring 0 is the natural one, by number; every other one is random, the same for the
/// same seed on any machine.
std::vector<std::uint64_t> ring_order(std::uint64_t ranks, std::uint64_t ring, std::uint64_t seed);

/// The neighbours of a rank in that ring.
RingNeighbours ring_neighbours(std::uint64_t rank, std::vector<std::uint64_t> const& order);

/// The geometric mean; the values are above 0, and there is at least one.
double geometric_mean(std::vector<double> const& values);

}  // namespace weir
