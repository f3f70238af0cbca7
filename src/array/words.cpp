#include "array/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace weir::array {

std::string words_for_seconds(double seconds) {
    auto const digit = std::pow(10.0, std::floor(std::log10(std::max(seconds, 1e-9))) - 1);
    auto const rounded = std::round(seconds / digit) * digit;
    return rounded >= 1      ? fmt::format("{:.4g} s", rounded)
           : rounded >= 1e-3 ? fmt::format("{:.4g} ms", rounded * 1e3)
                             : fmt::format("{:.4g} µs", rounded * 1e6);
}

std::string words_for_bytes(std::uint64_t bytes) {
    constexpr std::array units{"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    auto value = static_cast<double>(bytes);
    std::size_t unit = 0;
    for (; value >= 1024 && unit + 1 < units.size(); ++unit) {
        value /= 1024;
    }
    bool const whole = value == std::floor(value);
    return fmt::format("{:.{}f} {}", value, whole ? 0 : 1, units[unit]);
}

std::string words_for_count(std::uint64_t count) {
    return count < 1000 ? std::to_string(count) : fmt::format("{},{:03}", words_for_count(count / 1000), count % 1000);
}

std::string words_for_count(std::uint64_t count, char const* what) {
    return fmt::format("{} {}{}", words_for_count(count), what, count == 1 ? "" : "s");
}

std::string words_for(Way const& way, std::uint64_t group, char const* who) {
    switch (way.method) {
        case Method::independent:
            return "independent";
        case Method::gather:
            return "gather to rank 0";
        case Method::grouped:
            return fmt::format("groups of {}", words_for_count(group, "rank"));
        default:
            return fmt::format("two-phase, {}", words_for_count(way.aggregators, who));
    }
}

std::string words_for(Choice const& choice) {
    auto text = words_for(choice.write, choice.group, "writer");
    if (choice.write != choice.read) {
        bool const same = choice.write.method == choice.read.method;
        text += same ? fmt::format(" and {}", words_for_count(choice.read.aggregators, "reader"))
                     : fmt::format("; reading {}", words_for(choice.read, choice.group, "reader"));
    }
    bool const windows = choice.write.method != Method::independent || choice.read.method != Method::independent;
    return windows ? fmt::format("{}, windows of {}", text, words_for_bytes(choice.window)) : text;
}

}  // namespace weir::array
