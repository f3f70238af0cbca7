#pragma once

#include <cstdint>

namespace weir {

/// How a file is laid out and its metadata treated; sizes in bytes, 0 leaves the library its own way.
struct Hdf5Settings {
    std::uint64_t chunk = 0;  ///< datasets in chunks of this size; 0: contiguous
    std::uint64_t alignment = 0;
    std::uint64_t metadata_block = 0;
    bool collective_metadata = false;
};

}  // namespace weir
