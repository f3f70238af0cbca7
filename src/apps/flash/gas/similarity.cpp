#include "apps/flash/gas/similarity.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace weir::flash {
namespace {

/// The solution at lambda = r / R: the velocity is 2 r / (5 t) v, the density rho exp(log_g). Then the sum of the
/// energy between there and the front. Also their change towards larger ln lambda.
struct Profile {
    double v = 0;
    double log_g = 0;
    double energy = 0;
};

Profile moved(Profile const& from, double by, Profile const& slope) {
    return {from.v + by * slope.v, from.log_g + by * slope.log_g, from.energy + by * slope.energy};
}

/// The energy within a sphere of constant lambda does not change: that gives the sound speed, 2 r / (5 t) sqrt(z).
double z_of(double v, double gamma) { return gamma * (gamma - 1) * (1 - v) * v * v / (2 * (gamma * v - 1)); }

/// Continuity, and entropy along paths of particles.
Profile slope_at(double log_lambda, Profile const& at, double gamma) {
    auto const v = at.v;
    auto const determinant = -gamma + (1 - v) * (2 / v - gamma / (gamma * v - 1));
    Profile slope;
    slope.v = ((3 * gamma - 1) * v - 5) / determinant;
    slope.log_g = (slope.v + 3 * v) / (1 - v);
    slope.energy = std::exp(5 * log_lambda + at.log_g) * (v * v / 2 + z_of(v, gamma) / (gamma * (gamma - 1)));
    return slope;
}

/// Runge's and Kutta's step of length h inwards.
Profile inwards(double log_lambda, Profile const& at, double h, double gamma) {
    auto const first = slope_at(log_lambda, at, gamma);
    auto const second = slope_at(log_lambda - h / 2, moved(at, -h / 2, first), gamma);
    auto const third = slope_at(log_lambda - h / 2, moved(at, -h / 2, second), gamma);
    auto const last = slope_at(log_lambda - h, moved(at, -h, third), gamma);
    auto next = moved(at, -h / 6, first);
    next = moved(next, -h / 3, second);
    next = moved(next, -h / 3, third);
    return moved(next, -h / 6, last);
}

}  // namespace

double similarity_constant(double gamma) {
    constexpr double relative_step = 0.004;
    constexpr double nothing = 1e-10;
    Profile at{2 / (gamma + 1), std::log((gamma + 1) / (gamma - 1)), 0};  // behind the front
    double log_lambda = 0;
    for (;;) {
        auto const slope = slope_at(log_lambda, at, gamma);
        auto const to_centre = gamma * at.v - 1;  // vanishes there
        auto const to_vacuum = 1 - at.v;          // vanishes where gas of gamma > 7 leaves a hole
        if (to_centre < nothing) {
            // The pressure no longer changes: the rest is the energy of a sphere, which grows with its volume.
            at.energy -= slope.energy / 3;
            break;
        }
        if (to_vacuum < nothing || slope.energy < nothing * -at.energy) {
            break;
        }
        auto const change = std::abs(slope.v) > 0 ? std::min(to_centre / gamma, to_vacuum) / std::abs(slope.v) : 1;
        auto const h = relative_step * std::min({1.0, change, to_vacuum});
        at = inwards(log_lambda, at, h, gamma);
        log_lambda -= h;
    }
    // E = (16 pi / 25) rho R^5 / t^2 times the integral.
    return std::pow(-25 / (16 * std::numbers::pi * at.energy), 0.2);
}

}  // namespace weir::flash
