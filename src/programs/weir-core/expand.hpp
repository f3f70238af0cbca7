#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace weir {

/// Writes everything that one rank of a pattern file does, or all ranks one after the other, as CSV to standard output.
/// Throws Error.
void print_expansion(std::string const& path, std::optional<std::uint64_t> rank);

}  // namespace weir
