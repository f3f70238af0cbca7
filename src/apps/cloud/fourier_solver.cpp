#include "apps/cloud/fourier_solver.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "apps/cloud/ordered_sum.hpp"

namespace weir::cloud {
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

void FourierSolver::transform_along(std::size_t axis, Parts parts) {
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
