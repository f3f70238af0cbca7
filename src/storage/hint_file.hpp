#pragma once

#include <string>
#include <string_view>

#include "storage/backend.hpp"

namespace weir {

/// Adds a hint written as key, one of `separators`, value. Refuses what is no hint, or longer than MPI takes (Error,
/// usage); `where` begins the message.
void add_hint(Hints&, std::string_view text, std::string_view separators, std::string const& where);

/// The hints of a file's text, one a line, "key=value" or "key value"; '#' begins a comment. `name` is for messages.
Hints parse_hint_file(std::string const& text, std::string const& name);

}  // namespace weir
