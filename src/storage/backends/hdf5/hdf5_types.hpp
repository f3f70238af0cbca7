#pragma once

#include <span>
#include <vector>

#include "core/hdf5_handle.hpp"
#include "pattern/array.hpp"
#include "storage/strided_memory.hpp"

namespace weir {

/// HDF5's type for such an element, in this machine's byte order; the same in file and memory, so that nothing is
/// converted. Text ends with its bytes, or with zeros.
Hdf5Handle type_of(Element const&);

/// Does a type from a file hold such elements, byte for byte? Texts may end otherwise.
bool holds(hid_t stored, Element const&);

/// A dataspace of this shape; none: a scalar.
Hdf5Handle space_of(std::vector<std::uint64_t> const& shape);

/// Such memory, with the rank's part selected in it.
Hdf5Handle space_of(StridedMemory const&);

/// Selects these parts of the array that the dataspace has the shape of; nothing if they are empty. Negative if it
/// failed.
herr_t select(hid_t space, std::span<Section const> parts);

}  // namespace weir
