#include <cmath>
#include <numbers>
#include <vector>

#include "bench/compute/fft/transform.hpp"

namespace weir {
namespace {

/// The number of unity w^k, w = exp(sign 2 pi i / n), k below n.
std::vector<Complex> roots_of_unity(std::uint64_t n, FftSign sign) {
    std::vector<Complex> roots(n);
    for (std::uint64_t k = 0; k < n; ++k) {
        auto const angle =
            static_cast<int>(sign) * 2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(n);
        roots[k] = {std::cos(angle), std::sin(angle)};
    }
    return roots;
}

std::vector<std::uint64_t> factors_of(std::uint64_t n) {
    std::vector<std::uint64_t> factors;
    for (std::uint64_t factor : {4, 2, 3, 5}) {
        for (; n % factor == 0 && n > 1; n /= factor) {
            factors.push_back(factor);
        }
    }
    for (std::uint64_t factor = 7; n > 1; factor += 2) {
        for (; n % factor == 0; n /= factor) {
            factors.push_back(factor);
        }
    }
    return factors;
}

/// Decimation in time (Cooley, Tukey, 1965): n = r m; the r transforms of every r-th number, combined by butterflies.
class PlainTransform final : public Transform {
  public:
    PlainTransform(std::uint64_t size, std::uint64_t count, FftSign sign)
        : size_(size), count_(count), roots_(roots_of_unity(size, sign)), factors_(factors_of(size)) {}

    void run(Complex* numbers) const override {
        std::vector<Complex> input(size_);
        std::vector<Complex> parts(factors_.empty() ? 1 : *std::max_element(factors_.begin(), factors_.end()));
        for (std::uint64_t i = 0; i < count_; ++i) {
            auto* const own = numbers + i * size_;
            std::copy_n(own, size_, input.data());
            transform(input.data(), own, size_, 1, 0, parts);
        }
    }

  private:
    void transform(Complex const* in, Complex* out, std::uint64_t n, std::uint64_t stride, std::size_t level,
                   std::vector<Complex>& parts) const {
        if (n == 1) {
            *out = *in;
            return;
        }
        auto const radix = factors_[level];
        auto const m = n / radix;
        for (std::uint64_t part = 0; part < radix; ++part) {
            transform(in + part * stride, out + part * m, m, stride * radix, level + 1, parts);
        }
        for (std::uint64_t k = 0; k < m; ++k) {
            for (std::uint64_t part = 0; part < radix; ++part) {
                parts[part] = out[part * m + k] * roots_[part * k * stride];
            }
            for (std::uint64_t q = 0; q < radix; ++q) {
                Complex sum = parts[0];
                for (std::uint64_t part = 1; part < radix; ++part) {
                    sum += parts[part] * roots_[part * q % radix * m * stride];
                }
                out[q * m + k] = sum;
            }
        }
    }

    std::uint64_t size_;
    std::uint64_t count_;
    std::vector<Complex> roots_;
    std::vector<std::uint64_t> factors_;
};

class PlainLibrary final : public TransformLibrary {
  public:
    [[nodiscard]] std::unique_ptr<Transform> plan(std::uint64_t size, std::uint64_t count, FftSign sign,
                                                  Complex* /*numbers*/) const override {
        return std::make_unique<PlainTransform>(size, count, sign);
    }

    [[nodiscard]] std::string name() const override { return "plain transforms of Weir"; }
};

}  // namespace

std::unique_ptr<TransformLibrary> plain_transforms() { return std::make_unique<PlainLibrary>(); }

}  // namespace weir
