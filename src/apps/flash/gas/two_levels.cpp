#include "apps/flash/gas/two_levels.hpp"

#include <algorithm>
#include <cmath>

namespace weir::flash {
namespace {

constexpr int cells_of_one = 8;

/// Fine cell k of a coarse one, x fastest.
Triple fine_cell(Triple const& c, int k) { return {2 * c[0] + k % 2, 2 * c[1] + k / 2 % 2, 2 * c[2] + k / 4}; }

/// The mean, in an order in which that of equal values is exactly their value.
template <class Of>
double mean_of(std::array<State, cells_of_one> const& c, Of of) {
    return (((of(c[0]) + of(c[1])) + (of(c[2]) + of(c[3]))) + ((of(c[4]) + of(c[5])) + (of(c[6]) + of(c[7])))) /
           cells_of_one;
}

/// Kinetic energy of a cell's motion relative to another state's.
double relative_energy(State const& cell, State const& to) {
    auto const u = cell[velocity_x] - to[velocity_x];
    auto const v = cell[velocity_y] - to[velocity_y];
    auto const w = cell[velocity_z] - to[velocity_z];
    return 0.5 * cell[density] * (u * u + v * v + w * w);
}

State average_of(std::array<State, cells_of_one> const& cells, double gamma) {
    State mean{};
    mean[density] = mean_of(cells, [](State const& c) { return c[density]; });
    for (std::size_t v = velocity_x; v <= velocity_z; ++v) {
        auto const first = cells[0][v];
        auto const momentum = mean_of(cells, [&](State const& c) { return c[density] * (c[v] - first); });
        mean[v] = first + momentum / mean[density];
    }
    mean[pressure] = mean_of(cells, [](State const& c) { return c[pressure]; }) +
                     (gamma - 1) * mean_of(cells, [&](State const& c) { return relative_energy(c, mean); });
    return mean;
}

double minmod(double down, double up) {
    auto const least = std::abs(down) < std::abs(up) ? down : up;
    return down * up > 0 ? least : 0.0;
}

using Slopes = std::array<State, axes>;  ///< from a cell's middle to those of its fine cells, along each axis

State at_fine(State const& mean, Slopes const& slopes, int k) {
    State fine = mean;
    for (std::size_t v = 0; v < variables; ++v) {
        fine[v] += (k % 2 == 0 ? -slopes[0][v] : slopes[0][v]) + (k / 2 % 2 == 0 ? -slopes[1][v] : slopes[1][v]) +
                   (k / 4 == 0 ? -slopes[2][v] : slopes[2][v]);
    }
    return fine;
}

std::array<State, cells_of_one> divided(State const& mean, Slopes const& slopes, double gamma) {
    std::array<State, cells_of_one> fine{};
    for (int k = 0; k < cells_of_one; ++k) {
        fine[static_cast<std::size_t>(k)] = at_fine(mean, slopes, k);
    }
    // Means over the fine cells of (rho - mean) (u - mean): what the momentum has too much.
    State excess{};
    for (std::size_t v = velocity_x; v <= velocity_z; ++v) {
        for (auto const& slope : slopes) {
            excess[v] += slope[density] * slope[v] / mean[density];
        }
    }
    double lowest = mean[pressure];
    for (auto& cell : fine) {
        lowest = std::min(lowest, cell[pressure]);
        for (std::size_t v = velocity_x; v <= velocity_z; ++v) {
            cell[v] -= excess[v];
        }
    }
    auto const relative = mean_of(fine, [&](State const& c) { return relative_energy(c, mean); });
    if (relative == 0) {
        return fine;
    }
    auto const share = std::min(1.0, 0.5 * lowest / ((gamma - 1) * relative));
    auto const part = std::sqrt(share);
    for (auto& cell : fine) {
        for (std::size_t v = velocity_x; v <= velocity_z && share < 1; ++v) {
            cell[v] = mean[v] + part * (cell[v] - mean[v]);
        }
        cell[pressure] -= (gamma - 1) * share * relative;
    }
    return fine;
}

}  // namespace

void average(View<double const> const& fine, CellBox const& coarse, View<double> const& to, double gamma) {
    for_cells(coarse, [&](Triple const& c) {
        std::array<State, cells_of_one> cells{};
        for (int k = 0; k < cells_of_one; ++k) {
            cells[static_cast<std::size_t>(k)] = fine.state(fine_cell(c, k));
        }
        to.set(c, average_of(cells, gamma));
    });
}

void interpolate(View<double const> const& coarse, CellBox const& cells, View<double> const& fine, double gamma) {
    for_cells(cells, [&](Triple const& c) {
        Slopes slopes{};
        auto const* const here = coarse.at(0, c);
        for (std::size_t v = 0; v < variables; ++v) {
            auto const* const at = here + static_cast<Index>(v) * coarse.apart;
            for (std::size_t a = 0; a < axes; ++a) {
                auto const step = coarse.stride[a];
                slopes[a][v] = 0.25 * minmod(at[0] - at[-step], at[step] - at[0]);
            }
        }
        auto const divided_cells = divided(coarse.state(c), slopes, gamma);
        for (int k = 0; k < cells_of_one; ++k) {
            fine.set(fine_cell(c, k), divided_cells[static_cast<std::size_t>(k)]);
        }
    });
}

}  // namespace weir::flash
