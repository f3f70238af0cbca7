#pragma once

#include <filesystem>
#include <optional>

namespace weir {

/// Has this process a descriptor of that file? Nothing where /proc does not tell, or the file cannot be asked.
std::optional<bool> holds_descriptor_of(std::filesystem::path const& file);

}  // namespace weir
