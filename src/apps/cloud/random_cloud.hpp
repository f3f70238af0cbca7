#pragma once

#include "apps/cloud/state.hpp"

namespace weir::cloud {

/// The cloud of a production run: isothermal gas at rest, with sound speed c = 1 at density 1, whose density is 1 and a
/// Gaussian random field. Each wave depends only on its mode numbers and the seed, so that the cloud depends neither on
/// the ranks nor, apart from being sampled, on the cells.
struct RandomCloud {
    double gamma = 1.1;       ///< below 4/3 a collapse is unstable
    double amplitude = 0.08;  ///< rms of the field
    double lengths = 3;       ///< the box's length along x in Jeans lengths, c sqrt(pi / G)
    std::uint64_t seed = 1;

    [[nodiscard]] double gravity(Grid const&) const;  ///< the constant G
};

/// Waves with mode numbers up to 4 in length. Local.
void fill_random_cloud(State&, RandomCloud const&);

}  // namespace weir::cloud
