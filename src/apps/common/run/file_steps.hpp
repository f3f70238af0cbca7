#pragma once

#include <string>
#include <vector>

#include "pattern/pattern.hpp"

namespace weir {

/// Opens a file and accesses all its arrays, without closing it. Rank 0 accesses the first `of_rank0` arrays, by
/// partition 0, and broadcasts them after reading; the others are accessed collectively, by partition 1.
std::vector<Step> all_of(Pattern const& shape, std::uint64_t file, OpenMode, std::uint64_t of_rank0);

void append(std::vector<Step>& steps, std::vector<Step> more);

Phase phase_of(std::string name, std::vector<Step> steps);

}  // namespace weir
