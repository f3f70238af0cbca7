#pragma once

#include "apps/cloud/state.hpp"

namespace weir::cloud {

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
