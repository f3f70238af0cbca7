#pragma once

#include "apps/cloud/dump/counted_file.hpp"
#include "apps/cloud/dump/header.hpp"

namespace weir::cloud {

/// The header of a restart file, read by one request. Error (usage), naming `path`, unless it is a whole one of these
/// cells. Local.
Header restart_header(CountedFile&, Triple const& cells, std::string const& path);

}  // namespace weir::cloud
