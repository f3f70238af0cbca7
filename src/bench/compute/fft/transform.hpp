#pragma once

#include <complex>
#include <cstdint>
#include <memory>
#include <string>

#include "core/quantity.hpp"

namespace weir {

using Complex = std::complex<double>;
enum class FftSign { forward = -1, backward = 1 };

/// Discrete Fourier transforms of `count` sequences of `size` numbers that lie one after the other, in place; neither
/// direction is scaled.
class Transform {
  public:
    virtual ~Transform() = default;
    virtual void run(Complex* numbers) const = 0;
};

/// Where transforms come from: FFTW, which is loaded at run time where it is there (it is under the GPL: nothing of
/// Weir is linked with it, ADR 44), or Weir's own plain one.
class TransformLibrary {
  public:
    virtual ~TransformLibrary() = default;

    /// Plans one; may overwrite `numbers`, which need not be those that it will run on but must be aligned like them.
    [[nodiscard]] virtual std::unique_ptr<Transform> plan(std::uint64_t size, std::uint64_t count, FftSign,
                                                          Complex* numbers) const = 0;

    /// Bytes that transforms of that size, one in each direction, need beside the numbers of one sequence.
    [[nodiscard]] virtual std::uint64_t extra_bytes(std::uint64_t size) const = 0;

    [[nodiscard]] virtual std::string name() const = 0;  ///< with its version: "FFTW 3.3.10"

    /// "auto": FFTW if it can be loaded; "fftw", or the path of its library: that one, or Error (cannot_run); "plain":
    /// Weir's own. FFTW tries its algorithms out for so long, about, for each forward plan; it estimates what is
    /// best where that is 0, and for backward ones, which check and are not timed. Local.
    static std::unique_ptr<TransformLibrary> load(std::string const& asked, Seconds planning);
};

/// Local.
std::uint64_t largest_factor(std::uint64_t n);

/// Above this prime factor, transforms go by a convolution: sums by the definition take longer, and err more.
constexpr std::uint64_t most_factor = 127;

/// Weir's own: mixed radix, and a convolution where a prime factor is large.
std::unique_ptr<TransformLibrary> plain_transforms();

/// Their name.
constexpr std::string_view plain_library = "plain transforms of Weir";

}  // namespace weir
