#pragma once

#include <string>

#include "core/error.hpp"

namespace weir {

/// The error of a call of the library that has just failed. Its reason is the innermost message of the library's error
/// stack, which says what really happened and is kept until the next call.
Error hdf5_error(std::string problem);

}  // namespace weir
