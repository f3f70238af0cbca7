#pragma once

#include <vector>

#include "apps/common/grid.hpp"

namespace weir::cloud {

/// All ways to place so many ranks along x, y and z.
inline std::vector<Triple> triples_of(Index ranks) {
    std::vector<Triple> all;
    for (Index px = 1; px <= ranks; ++px) {
        for (Index py = 1; px * py <= ranks; ++py) {
            if (ranks % (px * py) == 0) {
                all.push_back({px, py, ranks / (px * py)});
            }
        }
    }
    return all;
}

}  // namespace weir::cloud
