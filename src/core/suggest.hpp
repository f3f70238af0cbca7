#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace weir {

/// The known word that was most likely meant: the one with the smallest edit distance (at most one in three of its
/// letters), the first of several; empty if none is near.
std::string nearest_word(std::string_view word, std::vector<std::string> const& known);

}  // namespace weir
