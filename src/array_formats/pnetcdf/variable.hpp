#pragma once

#include <pnetcdf.h>

#include <string>
#include <vector>

#include "array_formats/common/file_shape.hpp"

namespace weir::formats {

/// A variable that is asked for, and the array of the plan that belongs to it.
struct Variable {
    std::string name;
    std::vector<std::string> dimensions;  ///< slowest first; for one that is to be created
    nc_type type = NC_NAT;
    weir_file_array array{};
    std::size_t index = 0;  ///< of the array

    /// Has it, when it is created, an unlimited dimension before those of the array?
    [[nodiscard]] bool grows() const { return dimensions.size() > static_cast<std::size_t>(array.dims); }
};

/// From what the caller says, as "density(z, y, x)". Throws Failure where name, type or dimensions do not fit the
/// array.
Variable variable_from(char const* text, nc_type type, weir_file_array const& array, std::size_t index);

/// Bytes of a value; 0: it is no type of classic files.
std::size_t bytes_of(nc_type);

/// "NC_DOUBLE"
char const* name_of(nc_type);

}  // namespace weir::formats
