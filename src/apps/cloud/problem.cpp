#include "apps/cloud/problem.hpp"

#include <fmt/format.h>

#include "apps/cloud/known_problems.hpp"
#include "core/enum_names.hpp"
#include "core/error.hpp"

namespace weir::cloud {
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
