#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/json.hpp"

namespace weir {

/// Writes everything that one rank of a pattern file does, or all ranks one after the other, as CSV to standard output.
/// Throws Error.
void print_expansion(std::string const& path, std::optional<std::uint64_t> rank);

/// The pattern of that file as it is replayed: for so many ranks, with or without its gaps, with a phase in front that
/// makes the files that it only finds. Its files of lists are named by their whole path. Throws Error.
Json prepared_pattern(std::string const& path, std::optional<std::uint64_t> ranks, bool gaps);

}  // namespace weir
