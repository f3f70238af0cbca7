#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>

#include "core/random.hpp"

namespace weir {

/// A number in [-0.5, 0.5) from any 64 bits; other bits, another number. Pure.
inline double centred_random(std::uint64_t bits) { return static_cast<double>(mix(bits) >> 11U) * 0x1p-53 - 0.5; }

/// The greatest magnitude; not a number, if any is none. Pure.
inline double greatest_magnitude(std::span<double const> numbers) {
    double greatest = 0;
    for (auto const number : numbers) {
        if (std::isnan(number)) {
            return std::abs(number);
        }
        greatest = std::max(greatest, std::abs(number));
    }
    return greatest;
}

}  // namespace weir
