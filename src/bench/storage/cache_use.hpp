#pragma once

#include <array>
#include <string_view>

namespace weir {

/// How the page cache is treated before a read.
enum class CacheUse { keep, drop };
constexpr std::array<std::string_view, 2> enum_names(CacheUse) { return {"keep", "drop"}; }
constexpr std::array<std::string_view, 2> enum_words(CacheUse) { return {"cache kept", "cache dropped"}; }

}  // namespace weir
