#pragma once

#include <optional>
#include <string>

namespace weir {

/// The whole of a text file; nothing where it cannot be read.
std::optional<std::string> read_text_file(std::string const& path);

/// The whole of a text file that the user names. Refuses (Error, usage) what is no file (a pipe, a folder, a device) or
/// cannot be read: "cannot read `what`", why, and what to do about it. Never waits.
std::string read_named_file(std::string const& path, std::string const& what, std::string suggestion);

}  // namespace weir
