#pragma once

#include <pnetcdf.h>

#include <string>
#include <vector>

#include "array_formats/common/file_shape.hpp"

namespace weir::formats {

/// A requested variable, and its array of the plan.
struct Variable {
    std::string name;
    std::vector<std::string> dimensions;  ///< slowest first; to create the variable
    nc_type type = NC_NAT;
    weir_file_array array{};
    std::size_t index = 0;  ///< of the array

    /// When created, does it get an unlimited dimension before those of the array?
    [[nodiscard]] bool grows() const { return dimensions.size() > static_cast<std::size_t>(array.dims); }

    /// Without elements, it is one of no records: no other dimension of a classic file has the length 0.
    [[nodiscard]] bool empty() const { return larger_of(array).front() == 0; }
};

/// Parses the caller's text, such as "density(z, y, x)". Throws Failure if name, type or dimensions do not fit the
/// array.
Variable variable_from(char const* text, nc_type type, weir_file_array const& array, std::size_t index);

/// Bytes of a value; 0: not a type of classic files.
std::size_t bytes_of(nc_type);

/// "NC_DOUBLE"
char const* name_of(nc_type);

}  // namespace weir::formats
