#pragma once

#include <cstdint>

namespace weir {

/// The pseudo-random numbers of RandomAccess: a(n) = x^n over GF(2), modulo x^64 + x^2 + x + 1 (HPC Challenge, class 2
/// specification). Update number n, from 0, takes a(n + 1).
class UpdateSequence {
  public:
    /// Goes on with update number n.
    explicit UpdateSequence(std::uint64_t n) : last_(power(n)) {}

    /// Goes on after the number that last() gave.
    static UpdateSequence after(std::uint64_t last) {
        UpdateSequence sequence(0);
        sequence.last_ = last;
        return sequence;
    }

    [[nodiscard]] std::uint64_t last() const { return last_; }

    std::uint64_t next() {
        last_ = times_x(last_);
        return last_;
    }

    /// x^n. Pure.
    static std::uint64_t power(std::uint64_t n) {
        std::uint64_t result = 1;
        std::uint64_t square = 2;
        for (; n > 0; n >>= 1U) {
            if ((n & 1U) != 0) {
                result = product(result, square);
            }
            square = product(square, square);
        }
        return result;
    }

  private:
    static constexpr std::uint64_t polynomial = 7;

    static std::uint64_t times_x(std::uint64_t a) {
        return (a << 1U) ^ (static_cast<std::int64_t>(a) < 0 ? polynomial : 0);
    }

    static std::uint64_t product(std::uint64_t a, std::uint64_t b) {
        std::uint64_t sum = 0;
        for (; b > 0; b >>= 1U, a = times_x(a)) {
            sum ^= (b & 1U) != 0 ? a : 0;
        }
        return sum;
    }

    std::uint64_t last_;
};

}  // namespace weir
