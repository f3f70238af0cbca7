#include "apps/aquifer/model/exact.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "core/error.hpp"

namespace weir::aquifer {
namespace {

double similarity(Pumping const& well, double distance, double time) {
    return distance * distance * well.storage / (4 * well.transmissivity * time);
}

void check_pair(Species const& a, Species const& b) {
    validate(a.retardation == b.retardation && a.diffusion == b.diffusion && a.dispersivity == b.dispersivity,
             fmt::format("there is no formula for '{}' and '{}'", a.name, b.name),
             "species of a decay chain must be retarded and spread equally", "Give them the same values.");
    validate(a.decay != b.decay, fmt::format("there is no formula for '{}' and '{}'", a.name, b.name),
             fmt::format("both decay at {:g} 1/s", a.decay), "Give them different rates.");
}

}  // namespace

double scaled_erfc(double x) {
    constexpr double large = 26;  // from here on five terms of the asymptotic series are exact to rounding
    if (x < large) {
        return std::exp(x * x) * std::erfc(x);
    }
    auto const y = 1 / (2 * x * x);
    return (1 - y * (1 - 3 * y * (1 - 5 * y * (1 - 7 * y * (1 - 9 * y))))) / (x * std::sqrt(std::numbers::pi));
}

double drawdown(Pumping const& well, double distance, double time) {
    if (time <= 0) {
        return 0;
    }
    auto const e1 = -std::expint(-similarity(well, distance, time));
    return well.rate / (4 * std::numbers::pi * well.transmissivity) * e1;
}

double drawdown_per_metre(Pumping const& well, double distance, double time) {
    if (time <= 0) {
        return 0;
    }
    return -well.rate / (2 * std::numbers::pi * well.transmissivity * distance) *
           std::exp(-similarity(well, distance, time));
}

/// With u = sqrt(v^2 + 4 lambda D), both exponents written so that nothing large cancels: (v - u) / (2 D) = -2 lambda /
/// (v + u), and the second term's growth is that of its erfc.
double concentration(Front const& front, double distance, double time) {
    if (time <= 0) {
        return 0;
    }
    auto const& [v, d, lambda] = front;
    auto const u = std::sqrt(v * v + 4 * lambda * d);
    auto const spread = 2 * std::sqrt(d * time);
    auto const a = (distance - u * time) / spread;
    auto const b = (distance + u * time) / spread;
    auto const decayed = lambda > 0 ? std::exp(-2 * lambda / (v + u) * distance) : 1;
    return 0.5 * decayed * (std::erfc(a) + std::exp(-a * a) * scaled_erfc(b));
}

std::vector<std::vector<double>> chain_weights(std::span<Species const> chain) {
    for (std::size_t i = 0; i < chain.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            check_pair(chain[j], chain[i]);
        }
    }
    std::vector<std::vector<double>> weights;
    double made = 1;  // the product of the rates at which those before decay
    for (std::size_t i = 0; i < chain.size(); ++i) {
        auto& row = weights.emplace_back(i + 1, made);
        for (std::size_t j = 0; j <= i; ++j) {
            for (std::size_t m = 0; m <= i; ++m) {
                row[j] /= m == j ? 1 : chain[m].decay - chain[j].decay;
            }
        }
        made *= chain[i].decay;
    }
    return weights;
}

}  // namespace weir::aquifer
