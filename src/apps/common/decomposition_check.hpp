#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apps/common/grid.hpp"

namespace weir {

/// The requirements of a run on its grid and ranks.
struct Demands {
    Index thinnest = 1;         ///< least number of cells of a block along each axis
    bool whole_planes = false;  ///< every rank writes the same number of planes along z
};

/// All reasons why these cells cannot be cut among `size` ranks, each in a few words; empty if they can. `asked`: the
/// ranks along x, y and z, if given. Local, as all here.
std::vector<std::string> misfits(Triple const& cells, Index size, std::optional<Triple> const& asked, Demands const&);

/// The nearest numbers of cells that fit this many ranks; along the requested axes, if any.
Triple nearest_cells(Triple const& cells, Index size, std::optional<Triple> const& asked, Demands const&);

/// The number of ranks nearest to `size` that these cells fit; nothing if there is none.
std::optional<Index> nearest_size(Triple const& cells, Index size, Demands const&);

/// Error (usage) with all reasons, and suitable cells or ranks, unless they fit.
void check_fit(Triple const& cells, Index size, std::optional<Triple> const& asked, Demands const&);

}  // namespace weir
