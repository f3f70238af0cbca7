#pragma once

#include <string>
#include <vector>

#include "pattern/pattern.hpp"

namespace weir {

/// Opens a file and asks for all its arrays, without closing it. Of the arrays, rank 0 asks for the first `of_rank0`,
/// by partition 0, and tells all ranks when it has read them; for the others all ranks ask together, by partition 1.
std::vector<Step> all_of(Pattern const& shape, std::uint64_t file, OpenMode, std::uint64_t of_rank0);

void append(std::vector<Step>& steps, std::vector<Step> more);

Phase phase_of(std::string name, std::vector<Step> steps);

}  // namespace weir
