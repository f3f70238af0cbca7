#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "weir/array/error.hpp"

namespace weir::io {

/// A number of elements, or an index, along each dimension.
using Indices = std::vector<std::int64_t>;

namespace detail {

inline void check_dims(char const* what, Indices const& list, std::size_t dims) {
    if (list.size() != dims) {
        throw Error(WEIR_BAD_ARGUMENT, std::string(what) + " has " + std::to_string(list.size()) +
                                           " entries, and the array " + std::to_string(dims) +
                                           " dimensions (one entry a dimension is needed)");
    }
}

inline std::int64_t const* or_null(Indices const& list) { return list.empty() ? nullptr : list.data(); }
inline std::int64_t* or_null(Indices& list) { return list.empty() ? nullptr : list.data(); }

}  // namespace detail

}  // namespace weir::io
