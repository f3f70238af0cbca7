#pragma once

#include <string>
#include <string_view>

namespace weir {

/// The text, safe to print on a terminal: control characters (also U+0080 to U+009F), bidirectional controls, line
/// separators, and bytes that are not UTF-8 are escaped, as \x1b, \u202e or \xff; newlines stay.
std::string printable(std::string_view text);

/// JSON text, which stays the same value, safe to print on a terminal: the same characters are written as \u202e.
std::string printable_json(std::string json);

bool is_utf8(std::string_view text);

/// Prints `weir-core: LINE` on standard error, for messages to the user. Local; the line is made printable.
void say(std::string_view line);

}  // namespace weir
