#pragma once

#include <filesystem>

#include "core/json_fwd.hpp"
#include "sim/simulate.hpp"

namespace weir::sim {

/// A machine model in SI units, as `weir` hands it over. A missing or null limit is none. Refuses unknown keys and
/// impossible values with their place (Error, usage).
Machine machine_from_json(Json const&);

/// Carries out what a file for `weir-core simulate` asks for: a machine, a pattern, how collective accesses are made.
/// `folder` contains the pattern's list files. Throws Error (usage).
Json simulated(Json const&, std::filesystem::path const& folder);

}  // namespace weir::sim
