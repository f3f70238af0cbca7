#include "apps/cloud/poisson_fourier.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "apps/common/gas/ordered_sum.hpp"
#include "apps/common/gas/vector_code.hpp"
#include "core/rank_progress.hpp"

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

namespace {

/// The second difference's eigenvalue for the wave with this mode number. LeVeque: Finite difference methods (2007),
/// 3.2.
Doubles eigenvalues_of(Index n) {
    Doubles values;
    for (Index mode = 0; mode < n; ++mode) {
        auto const half = std::sin(std::numbers::pi * static_cast<double>(mode) / static_cast<double>(n));
        values.push_back(-4 * half * half);
    }
    return values;
}

double mean(std::span<double const> values) {
    auto const count = static_cast<double>(values.size());
    return ordered_sum({}, values, count) / count;
}

}  // namespace

FourierSolver::FourierSolver(Grid const& grid)
    : grid_(grid),
      along_{Fourier(grid.cells[0]), Fourier(grid.cells[1]), Fourier(grid.cells[2])},
      eigenvalues_{eigenvalues_of(grid.cells[0]), eigenvalues_of(grid.cells[1]), eigenvalues_of(grid.cells[2])},
      re_(static_cast<std::size_t>(volume(grid.cells))),
      im_(re_.size()) {
    auto const longest = std::max({grid.cells[0], grid.cells[1], grid.cells[2]});
    for (auto* buffer : {&from_re_, &from_im_, &to_re_, &to_im_}) {
        buffer->resize(static_cast<std::size_t>(longest * lanes));
    }
}

void FourierSolver::invert(std::span<double> values) {
    std::copy(values.begin(), values.end(), re_.begin());
    std::fill(im_.begin(), im_.end(), 0.0);
    for (std::size_t axis = 0; axis < axes; ++axis) {
        transform_along(axis, {re_.data(), im_.data()});
    }
    divide_by_eigenvalues();
    for (std::size_t axis = 0; axis < axes; ++axis) {
        transform_along(axis, {im_.data(), re_.data()});
    }
    std::copy(re_.begin(), re_.end(), values.begin());
}

void FourierSolver::transform_along(std::size_t axis, ComplexParts parts) {
    auto const& n = grid_.cells;
    Triple const stride{1, n[0], n[0] * n[1]};
    std::size_t const inner = axis == 0 ? 1 : 0;
    std::size_t const outer = axis == 2 ? 1 : 2;
    auto const for_group = [&](Index start, Index width, auto move) {
        for (Index c = 0; c < n[axis]; ++c) {
            for (Index l = 0; l < width; ++l) {
                move(start + c * stride[axis] + l * stride[inner], static_cast<std::size_t>(c * lanes + l));
            }
        }
    };
    for (Index o = 0; o < n[outer]; ++o) {
        note_step();
        for (Index i = 0; i < n[inner]; i += lanes) {
            auto const start = o * stride[outer] + i * stride[inner];
            auto const width = std::min(lanes, n[inner] - i);
            for_group(start, width, [&](Index cell, std::size_t at) {
                from_re_[at] = parts.re[cell];
                from_im_[at] = parts.im[cell];
            });
            along_[axis].transform({from_re_.data(), from_im_.data()}, {to_re_.data(), to_im_.data()});
            for_group(start, width, [&](Index cell, std::size_t at) {
                parts.re[cell] = to_re_[at];
                parts.im[cell] = to_im_[at];
            });
        }
    }
}

void FourierSolver::divide_by_eigenvalues() {
    auto const count = static_cast<double>(re_.size());
    std::size_t cell = 0;
    for (auto const z : eigenvalues_[2]) {
        for (auto const y : eigenvalues_[1]) {
            for (auto const x : eigenvalues_[0]) {
                auto const factor = cell == 0 ? 0 : 1 / ((x + (y + z)) * count);
                re_[cell] *= factor;
                im_[cell] *= factor;
                ++cell;
            }
        }
    }
}

double FourierSolver::squared_residual(std::span<double const> phi, std::span<double const> rhs) {
    auto const& n = grid_.cells;
    std::size_t cell = 0;
    for (Index k = 0; k < n[2]; ++k) {
        for (Index j = 0; j < n[1]; ++j) {
            for (Index i = 0; i < n[0]; ++i, ++cell) {
                auto const at = [&](Index x, Index y, Index z) {
                    auto const place = (x + n[0]) % n[0] + n[0] * ((y + n[1]) % n[1] + n[1] * ((z + n[2]) % n[2]));
                    return phi[static_cast<std::size_t>(place)];
                };
                auto const sum = (at(i - 1, j, k) + at(i + 1, j, k)) + (at(i, j - 1, k) + at(i, j + 1, k)) +
                                 (at(i, j, k - 1) + at(i, j, k + 1));
                auto const r = rhs[cell] - (sum - 6 * phi[cell]);
                re_[cell] = r * r;
            }
        }
    }
    return ordered_sum({}, re_, static_cast<double>(re_.size()));
}

Solution FourierSolver::solve(std::span<double> phi, std::span<double const> source, Stop const& stop) {
    auto const m = mean(source);
    auto const h = grid_.spacing;
    Doubles rhs(source.size());
    std::transform(source.begin(), source.end(), rhs.begin(), [&](double x) { return h * h * (x - m); });
    // As for V-cycles: the mean's rounding error would remain in the residual.
    auto const left = mean(rhs);
    for (std::size_t i = 0; i < rhs.size(); ++i) {
        rhs[i] -= left;
        re_[i] = rhs[i] * rhs[i];
    }
    auto const scale = ordered_sum({}, re_, static_cast<double>(re_.size()));
    std::copy(rhs.begin(), rhs.end(), phi.begin());
    invert(phi);
    Solution solution{1, 0, true};
    if (stop.residual > 0 && scale > 0) {
        solution.residual = std::sqrt(squared_residual(phi, rhs) / scale);
        solution.converged = solution.residual <= stop.residual;
    }
    return solution;
}

}  // namespace weir::cloud
