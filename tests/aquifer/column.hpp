#pragma once

#include <cmath>
#include <functional>
#include <vector>

#include "apps/aquifer/flow/transport.hpp"

namespace weir::aquifer {

/// Columns of cells for comparison with exact solutions: n cells along an axis, one along the others, each 1 m across.
inline Box column(std::size_t axis, Index n, double length) {
    Box box;
    box.cells[axis] = n;
    box.edges[axis] = length / static_cast<double>(n);
    return box;
}

/// Centres of this rank's cells along an axis, m.
inline std::vector<double> centres(Mesh const& mesh, std::size_t axis) {
    std::vector<double> at;
    auto const& block = mesh.block();
    for (Index k = 0; k < block.cells[2]; ++k) {
        for (Index j = 0; j < block.cells[1]; ++j) {
            for (Index i = 0; i < block.cells[0]; ++i) {
                auto const cell = static_cast<double>(block.start[axis] + Triple{i, j, k}[axis]);
                at.push_back((cell + 0.5) * mesh.box().edges[axis]);
            }
        }
    }
    return at;
}

inline std::vector<double> values(std::vector<double> const& at, std::function<double(double)> const& f) {
    std::vector<double> result;
    for (auto const x : at) {
        result.push_back(f(x));
    }
    return result;
}

inline Ground uniform(Mesh const& mesh, double conductivity) {
    return {std::vector<double>(mesh.block().count(), conductivity), std::vector<std::size_t>(mesh.block().count(), 0)};
}

inline double largest_difference(std::vector<double> const& a, std::vector<double> const& b) {
    double largest = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        largest = std::max(largest, std::abs(a[i] - b[i]));
    }
    return largest;
}

}  // namespace weir::aquifer
