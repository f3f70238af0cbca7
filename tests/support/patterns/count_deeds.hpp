#pragma once

#include <cstdint>
#include <map>
#include <string_view>

#include "pattern/expansion.hpp"
#include "support/patterns/phases.hpp"

namespace weir::testing {

/// The deeds of a kind of all ranks in a phase, by length.
inline std::map<std::uint64_t, std::uint64_t> sizes_of(Pattern const& pattern, std::string_view phase, Action action) {
    std::map<std::uint64_t, std::uint64_t> sizes;
    expand_all(pattern, [&](std::uint64_t, Deed const& deed) {
        if (deed.phase.name == phase && deed.action == action) {
            ++sizes[deed.length];
        }
    });
    return sizes;
}

/// Their number.
inline std::uint64_t count_of(Pattern const& pattern, std::string_view phase, Action action) {
    std::uint64_t sum = 0;
    for (auto const& [length, times] : sizes_of(pattern, phase, action)) {
        sum += times;
    }
    return sum;
}

}  // namespace weir::testing
