#pragma once

#include <vector>

#include "array_formats/hdf5/hdf5_file.hpp"

namespace weir::formats {

/// Moves a plan's arrays to or from datasets that only HDF5 can write or read: all through rank 0, window by window.
/// Collective; throws Failure, the same on all ranks.
void through_hdf5(weir_plan*, char const* path, Use, std::vector<DatasetRequest> const&, void* const* buffers);

}  // namespace weir::formats
