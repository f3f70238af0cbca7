#include <algorithm>
#include <bit>
#include <vector>

#include "bench/compute/fft/roots_of_unity.hpp"
#include "bench/compute/fft/transform.hpp"

namespace weir {
namespace {

std::vector<std::uint64_t> factors_of(std::uint64_t n) {
    std::vector<std::uint64_t> factors;
    for (std::uint64_t factor : {4, 2, 3, 5}) {
        for (; n % factor == 0 && n > 1; n /= factor) {
            factors.push_back(factor);
        }
    }
    for (std::uint64_t factor = 7; factor * factor <= n; factor += 2) {
        for (; n % factor == 0; n /= factor) {
            factors.push_back(factor);
        }
    }
    if (n > 1) {
        factors.push_back(n);
    }
    return factors;
}

/// Powers of exp(sign 2 pi i / n).
class SignedRoots {
  public:
    SignedRoots(std::uint64_t n, FftSign sign) : roots_(n), is_forward_(sign == FftSign::forward) {}

    Complex operator[](std::uint64_t power) const { return is_forward_ ? roots_[power] : std::conj(roots_[power]); }

  private:
    RootsOfUnity roots_;
    bool is_forward_;
};

/// Decimation in time (Cooley, Tukey, 1965): n = r m; the r transforms of every r-th number, combined by butterflies.
class MixedRadix final : public Transform {
  public:
    MixedRadix(std::uint64_t size, std::uint64_t count, FftSign sign)
        : size_(size), count_(count), roots_(size, sign), factors_(factors_of(size)) {}

    void run(Complex* numbers) const override {
        std::vector<Complex> input(size_);
        std::vector<Complex> parts(factors_.empty() ? 1 : std::ranges::max(factors_));
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
                parts[part] = fast_product(out[part * m + k], roots_[part * k * stride]);
            }
            for (std::uint64_t q = 0; q < radix; ++q) {
                Complex sum = parts[0];
                for (std::uint64_t part = 1; part < radix; ++part) {
                    sum += fast_product(parts[part], roots_[part * q % radix * m * stride]);
                }
                out[q * m + k] = sum;
            }
        }
    }

    std::uint64_t size_;
    std::uint64_t count_;
    SignedRoots roots_;
    std::vector<std::uint64_t> factors_;
};

/// As a convolution with exp(pi i k^2 / n), by transforms of a power of two (L. I. Bluestein, 1968).
class ChirpTransform final : public Transform {
  public:
    ChirpTransform(std::uint64_t size, std::uint64_t count, FftSign sign)
        : size_(size),
          count_(count),
          longer_(longer(size)),
          half_roots_(2 * size, sign),
          forward_(longer_, 1, FftSign::forward),
          backward_(longer_, 1, FftSign::backward),
          kernel_(longer_) {
        for (std::uint64_t k = 0; k < size_; ++k) {
            kernel_[k] = kernel_[(longer_ - k) % longer_] = std::conj(chirp(k)) / static_cast<double>(longer_);
        }
        forward_.run(kernel_.data());
    }

    void run(Complex* numbers) const override {
        std::vector<Complex> work(longer_);
        for (auto* own = numbers; own != numbers + count_ * size_; own += size_) {
            std::ranges::fill(work, Complex{});
            for (std::uint64_t k = 0; k < size_; ++k) {
                work[k] = fast_product(own[k], chirp(k));
            }
            forward_.run(work.data());
            for (std::uint64_t k = 0; k < longer_; ++k) {
                work[k] = fast_product(work[k], kernel_[k]);
            }
            backward_.run(work.data());
            for (std::uint64_t k = 0; k < size_; ++k) {
                own[k] = fast_product(work[k], chirp(k));
            }
        }
    }

    static std::uint64_t longer(std::uint64_t size) { return std::bit_ceil(2 * size - 1); }
    /// Of the longer size: the kernels of both directions, the work, and its transforms' input.
    static constexpr std::uint64_t arrays = 4;

  private:
    [[nodiscard]] Complex chirp(std::uint64_t k) const { return half_roots_[k * k % (2 * size_)]; }

    std::uint64_t size_;
    std::uint64_t count_;
    std::uint64_t longer_;
    SignedRoots half_roots_;
    MixedRadix forward_;
    MixedRadix backward_;
    std::vector<Complex> kernel_;
};

class PlainLibrary final : public TransformLibrary {
  public:
    [[nodiscard]] std::unique_ptr<Transform> plan(std::uint64_t size, std::uint64_t count, FftSign sign,
                                                  Complex* /*numbers*/) const override {
        if (largest_factor(size) <= most_factor) {
            return std::make_unique<MixedRadix>(size, count, sign);
        }
        return std::make_unique<ChirpTransform>(size, count, sign);
    }

    [[nodiscard]] std::uint64_t extra_bytes(std::uint64_t size) const override {
        return sizeof(Complex) *
               (largest_factor(size) <= most_factor ? size : ChirpTransform::arrays * ChirpTransform::longer(size));
    }

    [[nodiscard]] std::string name() const override { return std::string(plain_library); }
};

}  // namespace

std::uint64_t largest_factor(std::uint64_t n) { return n < 2 ? 1 : std::ranges::max(factors_of(n)); }

std::unique_ptr<TransformLibrary> plain_transforms() { return std::make_unique<PlainLibrary>(); }

}  // namespace weir
