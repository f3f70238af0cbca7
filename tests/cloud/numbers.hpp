#pragma once

#include <cmath>
#include <numeric>

#include "apps/cloud/state.hpp"

namespace weir::cloud {

/// visit(i, j, k) for each cell of a grid, in the order of memory.
template <class Visit>
void each_cell(Triple const& n, Visit visit) {
    for (Index k = 0; k < n[2]; ++k) {
        for (Index j = 0; j < n[1]; ++j) {
            for (Index i = 0; i < n[0]; ++i) {
                visit(i, j, k);
            }
        }
    }
}

/// Rough numbers, alike nowhere.
inline double rough(std::size_t i) { return std::sin(static_cast<double>(i * i % 1009)); }

inline double mean_of(Doubles const& values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

inline Doubles plus(Doubles values, double x) {
    for (auto& value : values) {
        value += x;
    }
    return values;
}

}  // namespace weir::cloud
