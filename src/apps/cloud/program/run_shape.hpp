#pragma once

#include "apps/cloud/dump/pattern_of_run.hpp"
#include "apps/cloud/program/cloud_options.hpp"

namespace weir::cloud {

/// The I/O of a run on so many ranks; without a number, on those that the options ask for, or on one. Reads the header
/// of the restart, if there is one. Error (usage) as ranks_along(), and if the restart cannot be read. Local.
RunShape shape_of(CloudOptions const&, std::optional<std::uint64_t> ranks);

/// Bytes of the files that the run reads or makes. In closed form. Local.
std::uint64_t bytes_left(RunShape const&);

}  // namespace weir::cloud
