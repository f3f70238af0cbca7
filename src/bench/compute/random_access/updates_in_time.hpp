#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

namespace weir {

/// How many of `all` updates end within about `longest_s`, once `some` of them took `took_s`: all of them, or fewer,
/// but no less than `some`; nothing where this was too short to tell. Pure.
inline std::optional<std::uint64_t> updates_in_time(std::uint64_t all, std::uint64_t some, double took_s,
                                                    double longest_s) {
    constexpr double clearly = 4;  // times as many as there are
    constexpr double long_enough = 0.01;
    auto const in_time = static_cast<double>(some) * longest_s / took_s;
    if (in_time > clearly * static_cast<double>(all)) {
        return all;
    }
    if (took_s < long_enough * longest_s) {
        return std::nullopt;
    }
    return std::clamp(static_cast<std::uint64_t>(in_time), std::min(some, all), all);
}

}  // namespace weir
