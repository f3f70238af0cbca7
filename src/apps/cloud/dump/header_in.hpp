#pragma once

#include <array>
#include <filesystem>

#include "storage/backend.hpp"

namespace weir::cloud {

/// The reals of the header in a dump of a format's own (HDF5, netCDF), read through its back-end by this rank alone.
/// Error if it is no such file, or has no header. Local.
std::array<float, 6> header_in(std::filesystem::path const&, Backend&);

}  // namespace weir::cloud
