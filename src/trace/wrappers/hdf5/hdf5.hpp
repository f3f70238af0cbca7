#pragma once

// HDF5 without hdf5.h. Identifiers and sizes go through as words; identifiers are 64 bits wide since HDF5 1.10.
//
// Objects have names: a file its path, a dataset or group its path in the file, an attribute its object's path, "@" and
// its name; all of them with their file as parent. So what POSIX does inside H5Dwrite can be laid to the dataset. Names
// are asked of HDF5 when an object is opened, and never after a call that failed: asking would clear the errors that
// the program may want to read.

#include "trace/recorder/handle_table.hpp"
#include "trace/wrappers/library_call.hpp"

namespace weir::trace::hdf5 {

constexpr int8_t none = -1;

/// Where among the arguments stands what is told of a call.
struct Places {
    int8_t object = none;  ///< the identifier that it is about
    int8_t name = none;    ///< a file's
    int8_t size = none;    ///< what its length is: an open's flags, the bytes of a chunk
    uint8_t flags = 0;
};

using Description = CallDescription<Places>;

/// Files, datasets, groups and attributes that are open: their own numbers, and as `bytes` that of their file.
extern HandleTable objects;

/// What is known of an object; asked for, where it came by a way that is not recorded.
HandleTable::Info known_object(Context const&, Word object);

/// An identifier, or an int, that is negative.
inline bool failed(Context const& context) { return static_cast<int32_t>(context.result) < 0; }

/// HDF5 has no error numbers: -1.
inline int64_t outcome(Context const& context) { return failed(context) ? -1 : 0; }

constexpr Word error_missing = ~Word{0};

}  // namespace weir::trace::hdf5

#define WEIR_HDF5(name, kind, count, ...) \
    WEIR_CALL(HDF5, name, kind);          \
    WEIR_LIBRARY_CALL(name, name, count, weir::trace::hdf5::error_missing, nullptr, __VA_ARGS__)
