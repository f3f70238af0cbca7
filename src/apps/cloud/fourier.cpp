#include "apps/cloud/fourier.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "apps/cloud/vector_code.hpp"

namespace weir::cloud {
namespace {

Index least_factor(Index n) {
    for (Index p = 2; p * p <= n; ++p) {
        if (n % p == 0) {
            return p;
        }
    }
    return n;
}

/// Waves of the full length n: exp(-2 pi i k / n).
struct Waves {
    double const* cosine;
    double const* sine;
    Index n;
};

/// p values `apart` places from each other, the r-th rotated by wave r * turn first.
struct Terms {
    double* re;
    double* im;
    Index p;
    Index apart;
    Index turn;
};

WEIR_INLINE void turn_terms(Terms const& t, Waves const& w) {
    for (Index r = 1; r < t.p; ++r) {
        double const c = w.cosine[r * t.turn];
        double const s = w.sine[r * t.turn];
        double* const re = t.re + r * t.apart * lanes;
        double* const im = t.im + r * t.apart * lanes;
        for (Index l = 0; l < lanes; ++l) {
            double const x = re[l];
            re[l] = c * x + s * im[l];
            im[l] = c * im[l] - s * x;
        }
    }
}

WEIR_VECTOR_CODE void combine_two(Terms const& t, Waves const& w) {
    turn_terms(t, w);
    double* const re = t.re + t.apart * lanes;
    double* const im = t.im + t.apart * lanes;
    for (Index l = 0; l < lanes; ++l) {
        double const a = re[l];
        double const b = im[l];
        re[l] = t.re[l] - a;
        im[l] = t.im[l] - b;
        t.re[l] += a;
        t.im[l] += b;
    }
}

/// For an odd prime, terms r and p - r rotate by opposite angles, so that their sum and their difference suffice.
/// `sums`: room for 4 * (p / 2) lanes.
WEIR_VECTOR_CODE void combine_odd(Terms const& t, Waves const& w, double* sums) {
    turn_terms(t, w);
    Index const half = t.p / 2;
    Index const room = half * lanes;
    double first_re[lanes];
    double first_im[lanes];
    for (Index l = 0; l < lanes; ++l) {
        first_re[l] = t.re[l];
        first_im[l] = t.im[l];
    }
    for (Index r = 1; r <= half; ++r) {
        double const* const re = t.re + r * t.apart * lanes;
        double const* const im = t.im + r * t.apart * lanes;
        double const* const other_re = t.re + (t.p - r) * t.apart * lanes;
        double const* const other_im = t.im + (t.p - r) * t.apart * lanes;
        double* const to = sums + (r - 1) * lanes;
        for (Index l = 0; l < lanes; ++l) {
            to[l] = re[l] + other_re[l];
            to[room + l] = im[l] + other_im[l];
            to[2 * room + l] = re[l] - other_re[l];
            to[3 * room + l] = im[l] - other_im[l];
            t.re[l] += to[l];
            t.im[l] += to[room + l];
        }
    }
    Index const unit = w.n / t.p;
    for (Index q = 1; q <= half; ++q) {
        double even_re[lanes];
        double even_im[lanes];
        double odd_re[lanes] = {};
        double odd_im[lanes] = {};
        for (Index l = 0; l < lanes; ++l) {
            even_re[l] = first_re[l];
            even_im[l] = first_im[l];
        }
        for (Index r = 1; r <= half; ++r) {
            double const c = w.cosine[r * q % t.p * unit];
            double const s = w.sine[r * q % t.p * unit];
            double const* const from = sums + (r - 1) * lanes;
            for (Index l = 0; l < lanes; ++l) {
                even_re[l] += c * from[l];
                even_im[l] += c * from[room + l];
                odd_re[l] += s * from[2 * room + l];
                odd_im[l] += s * from[3 * room + l];
            }
        }
        double* const re = t.re + q * t.apart * lanes;
        double* const im = t.im + q * t.apart * lanes;
        double* const other_re = t.re + (t.p - q) * t.apart * lanes;
        double* const other_im = t.im + (t.p - q) * t.apart * lanes;
        for (Index l = 0; l < lanes; ++l) {
            re[l] = even_re[l] + odd_im[l];
            im[l] = even_im[l] - odd_re[l];
            other_re[l] = even_re[l] - odd_im[l];
            other_im[l] = even_im[l] + odd_re[l];
        }
    }
}

}  // namespace

Fourier::Fourier(Index n)
    : cosines_(static_cast<std::size_t>(n)),
      sines_(static_cast<std::size_t>(n)),
      sums_(static_cast<std::size_t>(2 * (n + 1) * lanes)) {
    for (Index k = 0; k < n; ++k) {
        auto const angle = 2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(n);
        cosines_[static_cast<std::size_t>(k)] = std::cos(angle);
        sines_[static_cast<std::size_t>(k)] = std::sin(angle);
    }
}

void Fourier::transform(ComplexLanes<double const> from, ComplexLanes<double> to) { part(length(), 1, from, to); }

/// The transform of every step-th element, n of them.
void Fourier::part(Index n, Index step, ComplexLanes<double const> from, ComplexLanes<double> to) {
    if (n == 1) {
        std::copy_n(from.re, lanes, to.re);
        std::copy_n(from.im, lanes, to.im);
        return;
    }
    auto const p = least_factor(n);
    auto const rest = n / p;
    for (Index r = 0; r < p; ++r) {
        part(rest, step * p, from.at(r * step), to.at(r * rest));
    }
    Waves const waves{cosines_.data(), sines_.data(), length()};
    for (Index k = 0; k < rest; ++k) {
        auto const here = to.at(k);
        Terms const terms{here.re, here.im, p, rest, k * step};
        if (p == 2) {
            combine_two(terms, waves);
        } else {
            combine_odd(terms, waves, sums_.data());
        }
    }
}

}  // namespace weir::cloud
