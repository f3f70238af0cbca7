#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "apps/common/run/application.hpp"
#include "apps/common/run/dump_times.hpp"

namespace weir {

// What dumps take on their file system at least: holes and what formats add are not counted. All local.

/// One dump, of new files and what it adds to others.
std::uint64_t room_of_dump(DumpPlan const&);

/// Error (cannot_run) if these dumps, which need so many bytes together, do not fit into the directory's file system,
/// even if they replace files.
void refuse_dumps_without_room(DumpPlan const&, std::uint64_t needed, std::filesystem::path const& directory,
                               std::vector<DumpNumber> const&);

}  // namespace weir
