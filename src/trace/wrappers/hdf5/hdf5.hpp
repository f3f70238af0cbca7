#pragma once

// HDF5 without hdf5.h. Identifiers and sizes are passed as words; identifiers are 64 bits wide since HDF5 1.10.
//
// Objects have names: a file its path, a dataset or group its path in the file, an attribute its object's path, "@" and
// its name; all of them with their file as parent. So POSIX calls inside H5Dwrite can be attributed to the dataset.
// Names are requested from HDF5 when an object is opened, and never after a failed call: that would clear the error
// stack, which the program may want to read.

#include "trace/recorder/handle_table.hpp"
#include "trace/wrappers/library_call.hpp"

namespace weir::trace::hdf5 {

constexpr int8_t none = -1;

/// Indices of the arguments that are recorded.
struct Hdf5Places {
    int8_t object = none;  ///< the identifier of the call's object
    int8_t name = none;    ///< of a file
    int8_t size = none;    ///< the recorded length: an open's flags, the bytes of a chunk
    uint8_t flags = 0;
};

using Description = CallDescription<Hdf5Places>;

/// Open files, datasets, groups and attributes: their numbers, and as `bytes` that of their file.
extern HandleTable objects;

/// The entry of an object; queried if it was opened by an unrecorded call.
HandleTable::Info known_object(Context const&, Word object);

/// A negative identifier or int.
inline bool failed(Context const& context) { return static_cast<int32_t>(context.result) < 0; }

/// HDF5 has no error numbers: -1.
inline int64_t outcome(Context const& context) { return failed(context) ? -1 : 0; }

constexpr Word error_missing = ~Word{0};

}  // namespace weir::trace::hdf5

#define WEIR_HDF5(name, kind, count, ...) \
    WEIR_CALL(HDF5, name, kind);          \
    WEIR_LIBRARY_CALL(name, name, count, weir::trace::hdf5::error_missing, nullptr, __VA_ARGS__)
