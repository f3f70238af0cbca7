#pragma once

#include <filesystem>
#include <string>

#include "apps/cloud/dump/header.hpp"

namespace weir::cloud {

/// The bytes of a restart file. Error (usage), naming it, where there is none, or something else than a file, or one
/// that is too short for a header. Local.
std::uint64_t restart_bytes(std::filesystem::path const&);

/// The header that these reals at the beginning of a file of so many bytes are. Error (usage), naming `path`, unless it
/// is a whole restart file of these cells. Local.
Header restart_header(std::array<float, 6> const& reals, std::uint64_t bytes, Triple const& cells,
                      std::string const& path);

}  // namespace weir::cloud
