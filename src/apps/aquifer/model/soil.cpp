#include "apps/aquifer/model/soil.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/error.hpp"

namespace weir::aquifer {
namespace {

/// Effective saturation, from 0 to 1.
Slope effective(Soil const& soil, double head) {
    if (head >= 0) {
        return {1, 0};
    }
    if (soil.retention == Retention::exponential) {
        auto const s = std::exp(soil.alpha * head);
        return {s, soil.alpha * s};
    }
    auto const m = 1 - 1 / soil.n;
    auto const x = std::pow(-soil.alpha * head, soil.n);
    auto const s = std::pow(1 + x, -m);
    return {s, -m * soil.n * x / (head * (1 + x)) * s};
}

}  // namespace

Slope Soil::water(double head) const {
    auto const s = effective(*this, head);
    auto const range = porosity - residual;
    return {residual + range * s.value + specific_storage * head, range * s.per_head + specific_storage};
}

double Soil::saturation(double head) const {
    return (residual + (porosity - residual) * effective(*this, head).value) / porosity;
}

/// Mualem (1976) with van Genuchten's m = 1 - 1/n: sqrt(s) (1 - (1 - s^(1/m))^m)^2. With x = (alpha |psi|)^n,
/// s^(1/m) = 1 / (1 + x).
Slope Soil::conductivity(double head) const {
    if (head >= 0) {
        return {1, 0};
    }
    if (retention == Retention::exponential) {
        return effective(*this, head);
    }
    auto const m = 1 - 1 / n;
    auto const x = std::pow(-alpha * head, n);
    auto const per_log = n / head / (1 + x);  // (d ln x / d psi) / (1 + x)
    auto const s = std::pow(1 + x, -m);
    auto const y = std::pow(x / (1 + x), m);
    auto const root = std::sqrt(s);
    auto const value = root * (1 - y) * (1 - y);
    return {value, -0.5 * m * x * per_log * value - 2 * m * y * per_log * root * (1 - y)};
}

void validate_soil(Soil const& soil) {
    validate(soil.residual >= 0 && soil.residual < soil.porosity && soil.porosity <= 1,
             fmt::format("a soil cannot hold between {:g} and {:g} of water", soil.residual, soil.porosity),
             "its residual water content is at least 0 and below its porosity, which is at most 1",
             "Give for example 0.05 and 0.4.");
    validate(soil.alpha > 0, fmt::format("alpha = {:g} 1/m is no soil's", soil.alpha), "it is positive",
             "Give for example 2.");
    validate(soil.retention != Retention::van_genuchten || soil.n > 1, fmt::format("n = {:g} is no soil's", soil.n),
             "van Genuchten's exponent is greater than 1", "Give for example 2.");
    validate(soil.specific_storage >= 0,
             fmt::format("a specific storage of {:g} 1/m is no soil's", soil.specific_storage), "it is at least 0",
             "Give for example 1e-4.");
}

}  // namespace weir::aquifer
