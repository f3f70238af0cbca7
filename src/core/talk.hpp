#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace weir {

/// The word that was most likely meant: the one of `known` with the fewest letters added, left out or changed (one in
/// three of its letters at most), the first of several; empty where none is near.
std::string nearest_word(std::string_view word, std::vector<std::string> const& known);

/// The text as a terminal may get it: what steers one (control characters, U+0080 to U+009F, what turns the direction
/// of writing, separators of lines) and bytes that are no UTF-8 are escaped, as \x1b, \u202e or \xff; ends of lines
/// stay.
std::string printable(std::string_view text);

bool is_utf8(std::string_view text);

/// Prints `weir-core: LINE` on standard error, where Weir talks to people. Local; the line is made printable.
void say(std::string_view line);

}  // namespace weir
