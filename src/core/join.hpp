#pragma once

#include <fmt/core.h>

#include <string>
#include <string_view>

namespace weir {

/// The items of a range as text, with a separator between them. fmt::join would do the same, but compiles all of fmt's
/// formatting into each source that uses it: two seconds each.
template <class Range>
std::string join(Range const& items, std::string_view separator) {
    std::string text;
    bool first = true;
    for (auto const& item : items) {
        text += first ? "" : separator;
        text += fmt::format("{}", item);
        first = false;
    }
    return text;
}

}  // namespace weir
