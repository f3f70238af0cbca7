#pragma once

#include <string>

#include "core/error.hpp"

namespace weir {

/// The error of a call of the library that returned this status, in its words and with advice.
Error pnetcdf_error(std::string problem, int status);

}  // namespace weir
