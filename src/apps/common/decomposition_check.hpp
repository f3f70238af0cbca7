#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apps/common/grid.hpp"

namespace weir {

/// What a run asks of its grid and of the ranks that share it.
struct Demands {
    Index thinnest = 1;         ///< cells of a block along each axis, at least
    bool whole_planes = false;  ///< every rank writes as many planes along z
};

/// All that is in the way of cutting these cells among `size` ranks, each in a few words; empty where they fit. `asked`
/// are the ranks along x, y and z, where they are not to be chosen. Local, as all here.
std::vector<std::string> misfits(Triple const& cells, Index size, std::optional<Triple> const& asked, Demands const&);

/// The cells nearest to these that fit so many ranks; those asked for, where as many.
Triple nearest_cells(Triple const& cells, Index size, std::optional<Triple> const& asked, Demands const&);

/// The number of ranks nearest to `size` that these cells fit; nothing where there is none.
std::optional<Index> nearest_size(Triple const& cells, Index size, Demands const&);

/// Error (usage) that says all that is in the way, and which cells or ranks would do, unless they fit.
void check_fit(Triple const& cells, Index size, std::optional<Triple> const& asked, Demands const&);

}  // namespace weir
