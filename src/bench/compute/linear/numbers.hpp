#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <span>

#include "core/random.hpp"
#include "core/seed_of_sequence.hpp"

namespace weir {

/// Numbers in [-0.5, 0.5), each a function of its place, the seed and the number of the sequence. Another seed or
/// sequence gives others, not the same in another order: each has a start and a step of its own, as generators that
/// SplitMix splits off (OOPSLA 2014, cited at mix()). With a step in common, all seeds would go through the same cycle.
class CentredRandom {
  public:
    explicit CentredRandom(std::uint64_t seed, std::uint64_t sequence = 0)
        : start_(seed_of_sequence(seed, sequence)), step_(step_from(mix(start_))) {}

    [[nodiscard]] double operator()(std::uint64_t place) const {
        return static_cast<double>(mix(start_ + place * step_) >> 11U) * 0x1p-53 - 0.5;
    }

  private:
    /// Odd, and with enough changes from bit to bit, as SplitMix asks of its steps.
    static constexpr std::uint64_t step_from(std::uint64_t bits) {
        constexpr int fewest_changes = 24;
        constexpr std::uint64_t alternating = 0xaaaaaaaaaaaaaaaaU;
        auto const odd = bits | 1U;
        return std::popcount(odd ^ (odd >> 1U)) < fewest_changes ? odd ^ alternating : odd;
    }

    std::uint64_t start_;
    std::uint64_t step_;
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
