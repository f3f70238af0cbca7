#pragma once

#include <vector>

#include "apps/cloud/pencils.hpp"

namespace weir::cloud {

/// Complex numbers of eight adjacent pencils, [place][lane].
template <class T>
struct ComplexLanes {
    T* re;
    T* im;
    [[nodiscard]] ComplexLanes at(Index place) const { return {re + place * lanes, im + place * lanes}; }
    operator ComplexLanes<T const>() const { return {re, im}; }  // NOLINT(*-explicit-*): as T* becomes T const*
};

/// Discrete Fourier transforms of any length n, by prime factors: n times their sum steps. Cooley, Tukey: An algorithm
/// for the machine calculation of complex Fourier series, Math. Comp. 19 (1965).
class Fourier {
  public:
    explicit Fourier(Index n);

    [[nodiscard]] Index length() const { return static_cast<Index>(cosines_.size()); }

    /// to[k] = sum over j of from[j] exp(-2 pi i j k / n) for each lane. With `re` and `im` exchanged on both sides: n
    /// times the inverse.
    void transform(ComplexLanes<double const> from, ComplexLanes<double> to);

  private:
    void part(Index n, Index step, ComplexLanes<double const> from, ComplexLanes<double> to);

    Doubles cosines_;  ///< of 2 pi k / n
    Doubles sines_;
    Doubles sums_;  ///< room for one prime factor's terms
};

}  // namespace weir::cloud
