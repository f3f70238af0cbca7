#include "apps/flash/gas/loehner.hpp"

#include <algorithm>
#include <cmath>

namespace weir::flash {
namespace {

constexpr double filter = 0.01;  // of ripples: the share of |u| that counts as a first difference
constexpr Index judged = 2;      // layers of guard cells in which the error counts

/// First differences along an axis, and sums of absolute values, of a block and `judged` + 1 layers of guard cells.
struct SecondDifferences {
    Doubles difference, size;
};

SecondDifferences differences_along(View<double const> const& cells, std::size_t variable, CellBox const& box,
                                    Index step) {
    SecondDifferences d;
    auto const count = static_cast<std::size_t>(volume(box.size()));
    d.difference.resize(count);
    d.size.resize(count);
    std::size_t place = 0;
    for_cells({box.low, {box.low[0] + 1, box.high[1], box.high[2]}}, [&](Triple const& row) {
        auto const* const u = cells.at(variable, row);
        for (Index i = 0; i < box.high[0] - box.low[0]; ++i, ++place) {
            d.difference[place] = u[i + step] - u[i - step];
            d.size[place] = std::abs(u[i + step]) + std::abs(u[i - step]);
        }
    });
    return d;
}

/// Adds one axis's terms for a row of cells. `d`, `s`: at the row's first cell.
void add_terms(double const* d, double const* s, Triple const& steps, Index cells, double* seconds, double* firsts) {
    for (auto const step : steps) {
        for (Index i = 0; i < cells; ++i) {
            auto const second = d[i + step] - d[i - step];
            auto const first = std::abs(d[i + step]) + std::abs(d[i - step]) + filter * (s[i + step] + s[i - step]);
            seconds[i] += second * second;
            firsts[i] += first * first;
        }
    }
}

}  // namespace

double loehner_error(View<double const> const& cells, std::size_t variable, Index n) {
    auto const reach = judged + 1;
    CellBox const wide{{-reach, -reach, -reach}, {n + reach, n + reach, n + reach}};
    auto const row = n + 2 * reach;
    Triple const steps{1, row, row * row};
    std::array<SecondDifferences, axes> along;
    for (std::size_t a = 0; a < axes; ++a) {
        along[a] = differences_along(cells, variable, wide, cells.stride[a]);
    }
    auto const width = n + 2 * judged;
    Doubles seconds(static_cast<std::size_t>(width));
    Doubles firsts(seconds.size());
    double most = 0;
    for (Index k = 1; k <= width; ++k) {
        for (Index j = 1; j <= width; ++j) {
            std::ranges::fill(seconds, 0.0);
            std::ranges::fill(firsts, 0.0);
            auto const first = 1 + row * (j + row * k);
            for (auto const& a : along) {
                add_terms(a.difference.data() + first, a.size.data() + first, steps, width, seconds.data(),
                          firsts.data());
            }
            for (std::size_t i = 0; i < seconds.size(); ++i) {
                most = std::max(most, firsts[i] > 0 ? seconds[i] / firsts[i] : 0.0);
            }
        }
    }
    return std::sqrt(most);
}

}  // namespace weir::flash
