#pragma once

#include "apps/cloud/state.hpp"

namespace weir::cloud {

// Initial states with known solutions, to verify the code.

/// A cold sphere at rest in the middle of the box: density 1 within a quarter of the box's length along x, 0.01
/// outside, pressure 1e-3 everywhere. Cells cut by its surface get their fraction, from 8^3 points each. With G = 1 it
/// collapses in sqrt(3 pi / 32). Local.
void fill_cold_sphere(State&);

/// Sod's shock tube along an axis (J. Comput. Phys. 27, 1978), and its mirror image, since the box is periodic: gas at
/// rest with density and pressure 1 from 0 to L/4, with 0.125 and 0.1 from there to 3L/4, L the box's length. The
/// diaphragms' waves meet after L/4 / 1.75. Local.
void fill_sod_tube(State&, std::size_t axis);

/// Sedov's blast in the middle of a box of density 1: an energy of 1 as pressure within 3.5 cells, 1e-5 elsewhere; the
/// set-up of Fryxell et al.: FLASH, Astrophys. J. Suppl. 131 (2000), section 7.2. The energy on the grid is 1 plus that
/// of the surroundings. Collective.
void fill_sedov_blast(State&, double gamma);

/// A plane sound wave in gas that gravity pulls together: rho = 1 + A sin(k x), omega^2 = k^2 c^2 - 4 pi G with c = 1.
/// Jeans: Phil. Trans. R. Soc. A 199 (1902).
struct JeansWave {
    Triple modes{1, 0, 0};  ///< waves along each axis of the box
    double lengths = 0.5;   ///< wavelengths in Jeans lengths: above 1 the wave grows, below it oscillates
    double amplitude = 1e-4;
    double gamma = 5.0 / 3;

    [[nodiscard]] double wave_number(Grid const&) const;        ///< |k|
    [[nodiscard]] double gravity(Grid const&) const;            ///< the constant G: 4 pi G = (lengths k)^2
    [[nodiscard]] double frequency_squared(Grid const&) const;  ///< negative: growth
};

/// A standing wave if it oscillates, or one that grows exponentially. Local.
void fill_jeans_wave(State&, JeansWave const&);

/// The wave's current amplitude in the density. Collective.
double amplitude_of(State const&, JeansWave const&);

}  // namespace weir::cloud
