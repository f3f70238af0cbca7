#pragma once

#include <nlohmann/json_fwd.hpp>

namespace weir {

/// JSON with its keys in the order in which they were written. Headers that only name it include this file: all of
/// nlohmann/json costs a second of compiling.
using Json = nlohmann::ordered_json;

}  // namespace weir
