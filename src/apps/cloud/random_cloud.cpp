#include "apps/cloud/random_cloud.hpp"

#include <cmath>
#include <complex>
#include <numbers>

#include "core/random.hpp"

namespace weir::cloud {
namespace {

using Complex = std::complex<double>;
constexpr Index most = 4;
constexpr std::size_t numbers = 2 * static_cast<std::size_t>(most) + 1;

struct Mode {
    Triple number;
    Complex weight;
};

/// A number in (0, 1] from the mode, the seed and an index in the sequence.
double uniform(Triple const& n, std::uint64_t seed, std::uint64_t place) {
    auto state = mix(seed);
    for (auto const i : n) {
        state = mix(state ^ static_cast<std::uint64_t>(i + most));
    }
    return (static_cast<double>(mix(state + place) >> 11U) + 1) * 0x1p-53;
}

/// One of each pair of opposite waves: amplitude and phase of a Gaussian pair (Box, Muller: Ann. Math. Stat. 29, 1958).
std::vector<Mode> draw(RandomCloud const& cloud) {
    std::vector<Mode> modes;
    double power = 0;
    for (Index z = 0; z <= most; ++z) {
        for (Index y = -most; y <= most; ++y) {
            for (Index x = -most; x <= most; ++x) {
                auto const opposite_comes_first = z > 0 || (z == 0 && (y > 0 || (y == 0 && x > 0)));
                if (x * x + y * y + z * z <= most * most && opposite_comes_first) {
                    Triple const n{x, y, z};
                    auto const size = std::sqrt(-2 * std::log(uniform(n, cloud.seed, 0)));
                    modes.push_back({n, std::polar(size, 2 * std::numbers::pi * uniform(n, cloud.seed, 1))});
                    power += 0.5 * size * size;
                }
            }
        }
    }
    for (auto& mode : modes) {
        mode.weight *= cloud.amplitude / std::sqrt(power);
    }
    return modes;
}

/// exp(2 pi i n x / L) for every n from -4 to 4 at one coordinate.
std::array<Complex, numbers> waves_at(double x, double length) {
    std::array<Complex, numbers> waves;
    for (std::size_t n = 0; n < numbers; ++n) {
        waves[n] = std::polar(1.0, 2 * std::numbers::pi * (static_cast<double>(n) - most) * x / length);
    }
    return waves;
}

std::size_t place_of(Index number) { return static_cast<std::size_t>(number + most); }

}  // namespace

double RandomCloud::gravity(Grid const& grid) const {
    auto const length = static_cast<double>(grid.cells[0]) * grid.spacing;
    return std::numbers::pi * std::pow(lengths / length, 2);
}

void fill_random_cloud(State& state, RandomCloud const& cloud) {
    auto const& grid = state.where().grid();
    auto const length = [&](std::size_t a) { return static_cast<double>(grid.cells[a]) * grid.spacing; };
    auto const modes = draw(cloud);
    // Along a row only the waves' x part changes: nine sums replace all modes.
    std::array<Complex, numbers> row{};
    std::array<double, 2> row_at{-1, -1};
    fill(state, [&](double x, double y, double z) -> std::array<double, 5> {
        if (row_at != std::array{y, z}) {
            row_at = {y, z};
            row.fill({});
            auto const along_y = waves_at(y, length(1));
            auto const along_z = waves_at(z, length(2));
            for (auto const& m : modes) {
                row[place_of(m.number[0])] +=
                    m.weight * along_y[place_of(m.number[1])] * along_z[place_of(m.number[2])];
            }
        }
        auto const along_x = waves_at(x, length(0));
        Complex sum = 0;
        for (std::size_t n = 0; n < numbers; ++n) {
            sum += row[n] * along_x[n];
        }
        auto const density = 1 + sum.real();
        return {density, 0, 0, 0, density / cloud.gamma};
    });
}

}  // namespace weir::cloud
