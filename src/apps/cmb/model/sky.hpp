#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "apps/cmb/model/shape.hpp"

namespace weir::cmb {

/// The directions of the pixels, as unit vectors: right ascension and declination drawn in turn by the generator of
/// drand48 (POSIX), seed 0.
std::vector<std::array<double, 3>> random_directions(std::uint64_t pixels);

/// The pixels' signal covariance by multipoles, on a rank's part of a matrix: 1/(4 pi) sum (2l+1) P_l(cos chi) over the
/// ten multipoles l of each bin, the first of which begins with l = 1; chi is the angle between two pixels.
class SignalDerivatives {
  public:
    SignalDerivatives(std::vector<std::array<double, 3>> directions, MatrixPart part);

    /// Makes that of the next bin.
    void next(std::span<double> derivative);

    static constexpr std::uint64_t multipoles = 10;  ///< of a bin

  private:
    std::vector<std::array<double, 3>> directions_;
    MatrixPart part_;
    std::vector<double> before_, last_;  ///< P_(l-2) and P_(l-1) of the next l
    std::uint64_t next_ = 1;             ///< l
};

}  // namespace weir::cmb
