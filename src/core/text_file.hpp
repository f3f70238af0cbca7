#pragma once

#include <optional>
#include <string>

namespace weir {

/// The content of a text file; nothing if it cannot be read.
std::optional<std::string> read_text_file(std::string const& path);

/// The content of a text file that the user names. Refuses (Error, usage) anything that is not a file (a pipe, a
/// folder, a device) or cannot be read: "cannot read `what`", the reason, and advice. Never blocks.
std::string read_named_file(std::string const& path, std::string const& what, std::string suggestion);

}  // namespace weir
