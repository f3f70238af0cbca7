#include "apps/common/grid.hpp"

#include <fmt/format.h>

#include <charconv>

#include "core/error.hpp"

namespace weir {

Triple parse_triple(std::string_view text, std::string_view option) {
    Triple numbers{};
    auto const* at = text.data();
    auto const* const end = at + text.size();
    bool good = true;
    for (std::size_t i = 0; i < axes && good; ++i) {
        auto const [next, status] = std::from_chars(at, end, numbers[i]);
        good = status == std::errc{} && numbers[i] >= 1 && numbers[i] <= greatest_in_triple;
        auto const wants_more = i + 1 < axes;
        good = good && (wants_more ? next != end && *next == 'x' : next == end);
        at = next + (good && wants_more ? 1 : 0);
    }
    validate(good, fmt::format("{} = '{}' cannot be read", option, text),
             "it must be three whole numbers from 1 to 2^24, along x, y and z, with an x between them",
             fmt::format("Write for example {}.", option == "ranks_along" ? "2x2x2" : "128x128x64"));
    return numbers;
}

std::string to_text(Triple const& n) { return fmt::format("{}x{}x{}", n[0], n[1], n[2]); }

std::optional<std::array<double, axes>> three_numbers(std::string_view text, char between) {
    std::array<double, axes> numbers{};
    char const* at = text.data();
    auto const* const end = at + text.size();
    for (std::size_t i = 0; i < axes; ++i) {
        auto const [next, error] = std::from_chars(at, end, numbers[i]);
        auto const is_last = i + 1 == axes;
        if (error != std::errc() || (is_last ? next != end : next == end || *next != between)) {
            return {};
        }
        at = is_last ? next : next + 1;
    }
    return numbers;
}

}  // namespace weir
