#pragma once

#include "apps/cloud/dump/header.hpp"
#include "apps/common/run/restart_file.hpp"

namespace weir::cloud {

/// The header of any file of a dump. Error (usage), naming it, where it has none. Local, as the next.
Header header_of(RestartFile const&);

/// The same of a restart. Error (usage), naming it, unless it is a whole one of these cells, and of a gas of this
/// gamma.
Header restart_header(RestartFile const&, Triple const& cells, double gamma);

}  // namespace weir::cloud
