#include "apps/common/gas/pencils.hpp"

#include <algorithm>
#include <cstring>

namespace weir::gas {
namespace {

/// A floor of 0 means none.
bool is_below(double value, double floor) { return floor > 0 && value < floor; }

/// Momentum is kept: velocity scales with the inverse density, and the lost kinetic energy becomes pressure.
void raise_density(Pencils const& p, Index q, Gas const& gas) {
    auto& [rho, u, v, w, pressure] = p.mean;
    double const part = rho[q] / gas.density_floor;
    double const kinetic = 0.5 * rho[q] * (u[q] * u[q] + v[q] * v[q] + w[q] * w[q]);
    pressure[q] += (gas.gamma - 1) * kinetic * (1 - part);
    rho[q] = gas.density_floor;
    for (auto* velocity : {u, v, w}) {
        velocity[q] *= part;
    }
}

}  // namespace

void raise_to_floors(Pencils& p, Gas const& gas) {
    auto const* const density = p.mean[0];
    auto* const pressure = p.mean[4];
    p.sound = true;
    for (Index cell = 0; cell < p.cells; ++cell) {
        for (Index q = cell * lanes; q < cell * lanes + p.used; ++q) {
            if (is_below(density[q], gas.density_floor)) {
                raise_density(p, q, gas);
                ++p.raised.density;
            }
            if (is_below(pressure[q], gas.pressure_floor)) {
                pressure[q] = gas.pressure_floor;
                ++p.raised.pressure;
            }
            p.sound = p.sound && density[q] > 0 && pressure[q] > 0;
        }
    }
}

void load_cells(double* to, double const* from, Index cells, Index along, Index across, Index width) {
    if (across == 1 && width == lanes) {
        for (Index c = 0; c < cells; ++c) {
            std::memcpy(to + c * lanes, from + c * along, lanes * sizeof(double));
        }
        return;
    }
    for (Index l = 0; l < lanes; ++l) {
        auto const* const pencil = from + std::min(l, width - 1) * across;
        for (Index c = 0; c < cells; ++c) {
            to[c * lanes + l] = pencil[c * along];
        }
    }
}

void store_cells(double const* from, double* to, Index cells, Index along, Index across, Index width) {
    if (across == 1 && width == lanes) {
        for (Index c = 0; c < cells; ++c) {
            std::memcpy(to + c * along, from + c * lanes, lanes * sizeof(double));
        }
        return;
    }
    for (Index l = 0; l < width; ++l) {
        for (Index c = 0; c < cells; ++c) {
            to[c * along + l * across] = from[c * lanes + l];
        }
    }
}

PencilCell first_unsound(Pencils const& p) {
    for (Index c = 0; c < p.cells; ++c) {
        for (Index l = 0; l < p.used; ++l) {
            auto const q = c * lanes + l;
            if (!(p.mean[0][q] > 0 && p.mean[4][q] > 0)) {
                return {c, l};
            }
        }
    }
    return {0, 0};
}

Pencils::Pencils(Index n) : cells(n) {
    constexpr Index arrays = 29;
    // Padding of a few cache lines between the arrays, to avoid associativity conflicts.
    auto const size = (n + 2 * ghosts + 3) * lanes;
    memory_.assign(static_cast<std::size_t>(arrays * size), 1.0);
    auto* next = memory_.data() + ghosts * lanes;
    auto const take = [&] {
        auto* const array = next;
        next += size;
        return array;
    };
    for (auto* group : {&mean, &left, &right, &low, &high}) {
        for (auto*& array : *group) {
            array = take();
        }
    }
    steep = take();
    flat = take();
    slope = take();
    face = take();
}

}  // namespace weir::gas
