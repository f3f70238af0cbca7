#pragma once

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

/// The greatest magnitude of the numbers seen; not a number, once one was none.
class GreatestMagnitude {
  public:
    void see(double number) {
        auto const magnitude = std::abs(number);
        value_ = std::isnan(value_) || magnitude <= value_ ? value_ : magnitude;
    }
    [[nodiscard]] double value() const { return value_; }

  private:
    double value_ = 0;
};

/// Of all of them. Pure.
inline double greatest_magnitude(std::span<double const> numbers) {
    GreatestMagnitude greatest;
    for (auto const number : numbers) {
        greatest.see(number);
    }
    return greatest.value();
}

}  // namespace weir
