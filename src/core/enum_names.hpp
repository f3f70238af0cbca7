#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstddef>
#include <string>
#include <string_view>

#include "core/error.hpp"

namespace weir {

// An enumeration gets its words from one function beside it, found by its argument's type:
//     constexpr std::array<std::string_view, 2> enum_names(Layout) { return {"shared", "file-per-process"}; }
// The words stand in the order of the values, which count from 0. A word that a value had before is still understood:
//     constexpr std::pair<std::string_view, Layout> enum_alias(Layout) { return {"common", Layout::shared}; }

template <class Enum>
std::string_view to_text(Enum value) {
    return enum_names(value)[static_cast<std::size_t>(value)];
}

/// Throws Error (usage) for an unknown word; `what` names the thing in the message.
template <class Enum>
Enum from_text(std::string_view text, std::string_view what) {
    auto const names = enum_names(Enum{});
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (names[i] == text) {
            return static_cast<Enum>(i);
        }
    }
    if constexpr (requires { enum_alias(Enum{}); }) {
        if (auto const [word, value] = enum_alias(Enum{}); word == text) {
            return value;
        }
    }
    throw Error({fmt::format("'{}' is not a {}", text, what), "there is no such word",
                 fmt::format("Choose one of {}.", fmt::join(names, ", ")), ExitCode::usage});
}

}  // namespace weir
