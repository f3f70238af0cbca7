#pragma once

#include "array_formats/common/failure.hpp"
#include "weir/array.h"

namespace weir::formats {

enum class Access { read, write };

/// Throws Failure where there is no plan.
void check_plan(weir_plan const*);

/// Throws Failure where a file, names or types are missing, or the plan is one of safe dumps. Local.
void check_asked(weir_plan const*, char const* path, char const* const* names, void const* types);

/// Throws the error of a call of the two-phase library.
void check(weir_error const&);

/// Returns when what was written to a file is on the device. Throws Failure.
void bring_to_device(char const* path);

}  // namespace weir::formats
