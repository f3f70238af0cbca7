#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/json.hpp"

namespace weir {

/// Writes all actions of one rank of a pattern file, or of all ranks one after the other, as CSV to standard output.
/// Throws Error.
void print_expansion(std::string const& path, std::optional<std::uint64_t> rank);

/// The pattern of that file prepared for replay: for this many ranks, with or without its gaps, preceded by a phase
/// that creates the files that it only opens. Its list files are named by absolute path. Throws Error.
Json prepared_pattern(std::string const& path, std::optional<std::uint64_t> ranks, bool gaps);

}  // namespace weir
