#pragma once

#include <cstdint>
#include <string>

#include "array/planner/choose_strategy.hpp"

namespace weir::array {

/// A time with two significant digits: "1.6 s", "330 ms".
std::string text_of_seconds(double);

/// "2 KiB", "1.5 MiB".
std::string text_of_bytes(std::uint64_t);

/// 524288 as "524,288"; with the name of what is counted, "524,288 requests".
std::string text_of_count(std::uint64_t);
std::string text_of_count(std::uint64_t, char const* what);

/// "two-phase, 8 writers", "independent".
std::string text_of(Strategy const&, std::uint64_t group, char const* who);

/// The choice for both directions: "two-phase, 8 writers, windows of 256 KiB".
std::string text_of(Choice const&);

}  // namespace weir::array
