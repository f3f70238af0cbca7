#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>

#include "core/random.hpp"

namespace weir {

/// Numbers in [-0.5, 0.5), each a function of its place and the seed. Another seed gives others, not the same in
/// another order.
class CentredRandom {
  public:
    explicit CentredRandom(std::uint64_t seed) : key_(mix(seed)) {}

    [[nodiscard]] double operator()(std::uint64_t place) const {
        return static_cast<double>(mix(key_ ^ place) >> 11U) * 0x1p-53 - 0.5;
    }

  private:
    std::uint64_t key_;
};

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
