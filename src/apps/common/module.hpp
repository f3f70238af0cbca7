#pragma once

#include <functional>
#include <optional>
#include <string>

namespace weir {

/// Loads a module of Weir that lies beside the program's folder, as in the build and in an installation, and is left
/// out where `library` was not found. It is never unloaded. `has_come`: has the module offered what it is for? Returns
/// why it cannot be had; nothing once it is there. Local.
std::optional<std::string> load_module(std::string const& file, char const* library,
                                       std::function<bool()> const& has_come);

}  // namespace weir
