#pragma once

#include <cstddef>
#include <vector>

#include "pattern/pattern.hpp"

namespace weir::sim {

/// For each phase, the first one that is like it: the same steps, on files that are alike, as far apart, and that were
/// used before or not as its are. Where nothing is under way between phases, they take the same time. If ranks keep
/// pointers into files, or with `locks` on those that they have written, phases like each other must have used the
/// files before, too.
std::vector<std::size_t> alike_phases(Pattern const& pattern, bool locks = false);

/// Makes phases the first of their own that are the first to use a file, or leave pointers or locks on one, which
/// another one, that will be carried out, uses later: that one is to find it.
void keep_makers(Pattern const& pattern, std::vector<std::size_t>& alike, bool locks = false);

/// The pattern with the first of all phases that are alike. Files that only others use are left in it.
Pattern without_repetitions(Pattern const& pattern, std::vector<std::size_t> const& alike);

}  // namespace weir::sim
