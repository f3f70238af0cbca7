#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace weir {

// An enumeration gets its words from one function next to it, found by its argument's type:
//     constexpr std::array<std::string_view, 2> enum_names(Layout) { return {"shared", "file-per-process"}; }
// The words are in the order of the values, which count from 0. An earlier word for a value is still accepted:
//     constexpr std::pair<std::string_view, Layout> enum_alias(Layout) { return {"common", Layout::shared}; }
// Where results say what was chosen, people read other words than those of a study; "": nothing is said of that value.
//     constexpr std::array<std::string_view, 2> enum_words(Layout) { return {"shared file", "file per process"}; }

template <class Enum>
std::string_view to_text(Enum value) {
    return enum_names(value)[static_cast<std::size_t>(value)];
}

/// The index of a word among these. Throws Error (usage) for an unknown one; `what` names the thing in the message.
std::size_t index_of_name(std::span<std::string_view const> names, std::string_view text, std::string_view what);

template <class Enum>
Enum from_text(std::string_view text, std::string_view what) {
    if constexpr (requires { enum_alias(Enum{}); }) {
        if (auto const [word, value] = enum_alias(Enum{}); word == text) {
            return value;
        }
    }
    auto const names = enum_names(Enum{});
    return static_cast<Enum>(index_of_name(names, text, what));
}

}  // namespace weir
