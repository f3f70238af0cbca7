#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace weir {

/// The pseudo-random numbers of RandomAccess. Update number n, from 0, takes a(n + 1), and a(0) = 1. Each kind has:
/// next(a), the number after a; power(n), a(n); and index(a, k), the word of a table of 2^k that a updates. All pure.
enum class UpdateNumbers { polynomial, linear };
constexpr std::array<std::string_view, 2> enum_names(UpdateNumbers) { return {"polynomial", "linear"}; }

/// a(n) = x^n over GF(2), modulo x^64 + x^2 + x + 1 (HPC Challenge, class 2 specification), by its low bits.
struct PolynomialNumbers {
    static std::uint64_t next(std::uint64_t a) {
        constexpr std::uint64_t polynomial = 7;
        return (a << 1U) ^ (static_cast<std::int64_t>(a) < 0 ? polynomial : 0);
    }

    static std::uint64_t power(std::uint64_t n) {
        std::uint64_t result = 1;
        for (std::uint64_t square = 2; n > 0; n >>= 1U, square = product(square, square)) {
            if ((n & 1U) != 0) {
                result = product(result, square);
            }
        }
        return result;
    }

    static std::uint64_t index(std::uint64_t a, unsigned k) { return a & ((std::uint64_t{1} << k) - 1); }

  private:
    static std::uint64_t product(std::uint64_t a, std::uint64_t b) {
        std::uint64_t sum = 0;
        for (; b > 0; b >>= 1U, a = next(a)) {
            sum ^= (b & 1U) != 0 ? a : 0;
        }
        return sum;
    }
};

/// a(n + 1) = 6364136223846793005 a(n) + 1 (HPCC's LCG variant; the factor is Knuth's), by its high bits.
struct LinearNumbers {
    static constexpr std::uint64_t factor = 6364136223846793005U;

    static std::uint64_t next(std::uint64_t a) { return factor * a + 1; }

    static std::uint64_t power(std::uint64_t n) {
        std::uint64_t a = 1;
        std::uint64_t multiply = factor;  // a <- multiply a + add makes 2^i steps
        std::uint64_t add = 1;
        for (; n > 0; n >>= 1U) {
            if ((n & 1U) != 0) {
                a = multiply * a + add;
            }
            add *= multiply + 1;
            multiply *= multiply;
        }
        return a;
    }

    static std::uint64_t index(std::uint64_t a, unsigned k) { return a >> (64U - k); }
};

}  // namespace weir
