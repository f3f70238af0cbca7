#include "core/enum_names.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "core/join.hpp"

namespace weir {

std::size_t index_of_name(std::span<std::string_view const> names, std::string_view text, std::string_view what) {
    auto const found = std::find(names.begin(), names.end(), text);
    validate(found != names.end(), fmt::format("'{}' is not a {}", text, what), "there is no such word",
             fmt::format("Choose one of {}.", join(names, ", ")));
    return static_cast<std::size_t>(found - names.begin());
}

}  // namespace weir
