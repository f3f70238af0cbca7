#include "apps/cmb/model/sky.hpp"

#include <cmath>
#include <numbers>
#include <random>
#include <utility>

namespace weir::cmb {
namespace {

constexpr double pi = std::numbers::pi;

/// Uniform in [0, 1), as POSIX defines drand48 after srand48(0).
class Drand48 {
  public:
    double operator()() { return static_cast<double>(next_()) * 0x1p-48; }

  private:
    std::linear_congruential_engine<std::uint64_t, 0x5DEECE66D, 0xB, std::uint64_t{1} << 48U> next_{0x330E};
};

}  // namespace

std::vector<std::array<double, 3>> random_directions(std::uint64_t pixels) {
    Drand48 draw;
    std::vector<std::array<double, 3>> directions(pixels);
    for (auto& direction : directions) {
        auto const ascension = 2 * pi * draw();
        auto const declination = pi * (draw() - 0.5);
        direction = {std::cos(declination) * std::cos(ascension), std::cos(declination) * std::sin(ascension),
                     std::sin(declination)};
    }
    return directions;
}

SignalDerivatives::SignalDerivatives(std::vector<std::array<double, 3>> directions, MatrixPart part)
    : directions_(std::move(directions)),
      part_(std::move(part)),
      before_(part_.rows.size() * part_.columns.size()),
      last_(before_.size(), 1.0) {}

void SignalDerivatives::next(std::span<double> derivative) {
    part_.each([&](std::size_t place, std::uint64_t row, std::uint64_t column) {
        auto const& a = directions_[row];
        auto const& b = directions_[column];
        auto const cosine = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
        auto before = before_[place];
        auto last = last_[place];
        double sum = 0;
        for (auto l = next_; l < next_ + multipoles; ++l) {
            auto const degree = static_cast<double>(l);
            auto const now = ((2 * degree - 1) * cosine * last - (degree - 1) * before) / degree;
            sum += (2 * degree + 1) * now;
            before = std::exchange(last, now);
        }
        before_[place] = before;
        last_[place] = last;
        derivative[place] = sum / (4 * pi);
    });
    next_ += multipoles;
}

}  // namespace weir::cmb
