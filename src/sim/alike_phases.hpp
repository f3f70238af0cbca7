#pragma once

#include <cstddef>
#include <vector>

#include "pattern/pattern.hpp"

namespace weir::sim {

/// For each phase, the first one that is like it: the same steps, on files that are alike, and that were used before or
/// not as its are. Where nothing is under way between phases, they take the same time.
std::vector<std::size_t> alike_phases(Pattern const& pattern);

/// The pattern with the first of all phases that are alike. Files that only others use are left in it.
Pattern without_repetitions(Pattern const& pattern, std::vector<std::size_t> const& alike);

}  // namespace weir::sim
