#include "core/terminal_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <utility>

namespace weir {
namespace {

/// The first character of a text: its code point and its length in bytes; length 0 where these bytes are no UTF-8.
std::pair<char32_t, std::size_t> first_character(std::string_view text) {
    auto const byte = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
    if (byte(0) < 0x80) {
        return {byte(0), 1};
    }
    std::size_t const length = byte(0) >= 0xF0 ? 4 : byte(0) >= 0xE0 ? 3 : 2;
    if (byte(0) < 0xC2 || byte(0) > 0xF4 || text.size() < length) {
        return {0, 0};
    }
    char32_t point = byte(0) & (0xFFU >> (length + 1));
    for (std::size_t i = 1; i < length; i++) {
        if ((byte(i) & 0xC0U) != 0x80) {
            return {0, 0};
        }
        point = point << 6U | (byte(i) & 0x3FU);
    }
    bool const too_long = (length == 3 && point < 0x800) || (length == 4 && point < 0x10000);
    bool const none = too_long || (point >= 0xD800 && point <= 0xDFFF) || point > 0x10FFFF;
    return {point, none ? 0 : length};
}

bool steers(char32_t point) {
    return (point < 0x20 && point != '\n') || (point >= 0x7F && point < 0xA0) || point == 0x2028 || point == 0x2029 ||
           (point >= 0x202A && point <= 0x202E) || (point >= 0x2066 && point <= 0x2069);
}

}  // namespace

std::string printable(std::string_view text) {
    std::string shown;
    while (!text.empty()) {
        auto const [point, length] = first_character(text);
        if (length == 0) {
            shown += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[0]));
        } else if (steers(point)) {
            shown += point < 0x100 ? fmt::format("\\x{:02x}", static_cast<unsigned>(point))
                                   : fmt::format("\\u{:04x}", static_cast<unsigned>(point));
        } else {
            shown += text.substr(0, length);
        }
        text.remove_prefix(length == 0 ? 1 : length);
    }
    return shown;
}

std::string printable_json(std::string json) {
    // Below U+007F JSON has escaped them; most texts have no byte of others.
    auto const suspect = [](char c) { return c == '\x7f' || c == '\xc2' || c == '\xe2'; };
    auto const first = std::ranges::find_if(json, suspect);
    if (first == json.end()) {
        return json;
    }
    auto const kept = static_cast<std::size_t>(first - json.begin());
    std::string shown = json.substr(0, kept);
    std::string_view rest = std::string_view(json).substr(kept);
    while (!rest.empty()) {
        auto const [point, length] = first_character(rest);
        auto const bytes = std::max<std::size_t>(length, 1);
        if (length > 0 && point >= 0x7F && steers(point)) {
            shown += fmt::format("\\u{:04x}", static_cast<unsigned>(point));
        } else {
            shown += rest.substr(0, bytes);
        }
        rest.remove_prefix(bytes);
    }
    return shown;
}

bool is_utf8(std::string_view text) {
    while (!text.empty()) {
        auto const length = first_character(text).second;
        if (length == 0) {
            return false;
        }
        text.remove_prefix(length);
    }
    return true;
}

void say(std::string_view line) { fmt::print(stderr, "weir-core: {}\n", printable(line)); }

}  // namespace weir
