#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace weir {

/// The word that was most likely meant: the one of `known` with the fewest letters added, left out or changed (one in
/// three of its letters at most), the first of several; empty where none is near.
std::string nearest_word(std::string_view word, std::vector<std::string> const& known);

}  // namespace weir
