#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "core/hdf5_handle.hpp"

namespace weir::testing {

using Hdf5Shape = std::vector<hsize_t>;

inline Hdf5Handle dataspace(Hdf5Shape const& shape) {
    return {H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr), H5Sclose};
}
inline Hdf5Handle dataset(hid_t file, char const* name) { return {H5Dopen2(file, name, H5P_DEFAULT), H5Dclose}; }

/// Makes a dataset, contiguous unless chunks are asked for.
inline void make_dataset(hid_t file, char const* name, hid_t type, Hdf5Shape const& shape, Hdf5Shape const& chunk = {},
                         bool compressed = false) {
    Hdf5Handle const properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    if (!chunk.empty()) {
        H5Pset_chunk(properties.get(), static_cast<int>(chunk.size()), chunk.data());
    }
    if (compressed) {
        H5Pset_deflate(properties.get(), 1);
    }
    Hdf5Handle const made(
        H5Dcreate2(file, name, type, dataspace(shape).get(), H5P_DEFAULT, properties.get(), H5P_DEFAULT), H5Dclose);
    EXPECT_GE(made.get(), 0);
}

}  // namespace weir::testing
