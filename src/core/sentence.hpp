#pragma once

#include <string>
#include <string_view>

namespace weir {

/// A message as people read it: `problem (reason). Suggestion`. Cause and remedy are two sentences; what is empty is
/// left out.
std::string sentence(std::string_view problem, std::string_view reason, std::string_view suggestion);

}  // namespace weir
