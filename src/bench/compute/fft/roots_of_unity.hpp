#pragma once

#include <bit>
#include <cmath>
#include <complex>
#include <cstdint>
#include <numbers>
#include <vector>

namespace weir {

/// Without the check for infinities that the operator of std::complex makes.
inline std::complex<double> fast_product(std::complex<double> a, std::complex<double> b) {
    return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

/// The powers of exp(-2 pi i / n) below the n-th, each the product of two numbers of tables of about sqrt(n).
class RootsOfUnity {
  public:
    explicit RootsOfUnity(std::uint64_t n)
        : low_bits_(static_cast<unsigned>(std::bit_width(n) + 1) / 2),
          low_(std::uint64_t{1} << low_bits_),
          high_((n >> low_bits_) + 1) {
        for (std::uint64_t j = 0; j < low_.size(); ++j) {
            low_[j] = root(j, n);
        }
        for (std::uint64_t j = 0; j < high_.size(); ++j) {
            high_[j] = root(j << low_bits_, n);
        }
    }

    std::complex<double> operator[](std::uint64_t power) const {
        return fast_product(low_[power & (low_.size() - 1)], high_[power >> low_bits_]);
    }

  private:
    static std::complex<double> root(std::uint64_t power, std::uint64_t n) {
        auto const angle = -2 * std::numbers::pi * static_cast<double>(power) / static_cast<double>(n);
        return {std::cos(angle), std::sin(angle)};
    }

    unsigned low_bits_;
    std::vector<std::complex<double>> low_;
    std::vector<std::complex<double>> high_;
};

}  // namespace weir
