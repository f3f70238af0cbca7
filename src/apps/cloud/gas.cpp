#include "apps/cloud/gas.hpp"

#include "apps/cloud/pencils.hpp"

namespace weir::cloud {
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

}  // namespace weir::cloud
