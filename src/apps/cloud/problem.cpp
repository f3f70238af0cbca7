#include "apps/cloud/problem.hpp"

#include <fmt/format.h>

#include <cmath>
#include <complex>
#include <numbers>

#include "core/enum_names.hpp"
#include "core/error.hpp"
#include "core/random.hpp"

namespace weir::cloud {
namespace {

using Complex = std::complex<double>;
constexpr Index most = 4;
constexpr std::size_t numbers = 2 * static_cast<std::size_t>(most) + 1;

struct WaveMode {
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
std::vector<WaveMode> draw(RandomCloud const& cloud) {
    std::vector<WaveMode> modes;
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

namespace {

constexpr std::size_t tube_axis = 0;
constexpr double sphere_gravity = 1;  // as assumed by fill_cold_sphere()

double own_gamma(ProblemKind kind) {
    switch (kind) {
        case ProblemKind::random:
            return RandomCloud{}.gamma;
        case ProblemKind::sphere:
            return 5.0 / 3;
        case ProblemKind::jeans:
            return JeansWave{}.gamma;
        case ProblemKind::sedov:
        case ProblemKind::sod:
            return 1.4;
    }
    return 0;
}

double or_own(double asked, double own) { return asked > 0 ? asked : own; }

}  // namespace

double Problem::gamma_of_gas() const { return or_own(gamma, own_gamma(kind)); }

RandomCloud Problem::random() const {
    RandomCloud const own;
    return {gamma_of_gas(), or_own(amplitude, own.amplitude), or_own(lengths, own.lengths), seed};
}

JeansWave Problem::jeans() const {
    JeansWave const own;
    return {own.modes, or_own(lengths, own.lengths), or_own(amplitude, own.amplitude), gamma_of_gas()};
}

double Problem::gravity(Grid const& grid) const {
    switch (kind) {
        case ProblemKind::random:
            return random().gravity(grid);
        case ProblemKind::jeans:
            return jeans().gravity(grid);
        case ProblemKind::sphere:
            return sphere_gravity;
        case ProblemKind::sedov:
        case ProblemKind::sod:
            break;
    }
    return 0;
}

void Problem::fill(State& state) const {
    switch (kind) {
        case ProblemKind::random:
            return fill_random_cloud(state, random());
        case ProblemKind::sphere:
            return fill_cold_sphere(state);
        case ProblemKind::sedov:
            return fill_sedov_blast(state, gamma_of_gas());
        case ProblemKind::jeans:
            return fill_jeans_wave(state, jeans());
        case ProblemKind::sod:
            return fill_sod_tube(state, tube_axis);
    }
}

void validate_problem(Problem const& problem) {
    validate(problem.gamma == 0 || problem.gamma > 1, fmt::format("gamma = {:g} is no gas's", problem.gamma),
             "a ratio of specific heats is greater than 1",
             fmt::format("Give for example {:.4g}, or leave gamma out.", own_gamma(problem.kind)));
    auto const waves = problem.kind == ProblemKind::random || problem.kind == ProblemKind::jeans;
    for (auto const& [name, given] : {std::pair{"amplitude", problem.amplitude}, {"lengths", problem.lengths}}) {
        validate(waves || given == 0, fmt::format("{} contradicts problem = {}", name, to_text(problem.kind)),
                 "only random and jeans begin with waves",
                 fmt::format("Leave {} out, or choose another problem.", name));
    }
}

}  // namespace weir::cloud
