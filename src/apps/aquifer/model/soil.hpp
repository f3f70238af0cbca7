#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace weir::aquifer {

/// How water content and conductivity depend on the pressure head psi (m, negative where unsaturated).
enum class Retention {
    van_genuchten,  ///< van Genuchten (1980), with Mualem's conductivity
    exponential     ///< Gardner (1958): both decay as exp(alpha psi)
};
constexpr std::array<std::string_view, 2> enum_names(Retention) { return {"van-genuchten", "exponential"}; }

/// A value and its derivative with respect to the pressure head, 1/m.
struct Slope {
    double value = 0;
    double per_head = 0;
};

/// A soil's constitutive relations. Its members are local and pure.
struct Soil {
    Retention retention = Retention::van_genuchten;
    double residual = 0.05;       ///< water content of dry soil
    double porosity = 0.4;        ///< water content of saturated soil
    double alpha = 2;             ///< 1/m
    double n = 2;                 ///< van Genuchten's exponent, above 1
    double specific_storage = 0;  ///< 1/m

    /// Water per volume of soil, with the elastic storage S_s psi.
    [[nodiscard]] Slope water(double head) const;

    /// Conductivity as a fraction of the saturated one.
    [[nodiscard]] Slope conductivity(double head) const;

    /// Water content as a fraction of the porosity.
    [[nodiscard]] double saturation(double head) const;
};

/// Error (usage) unless the values are those of a soil. Local.
void validate_soil(Soil const&);

}  // namespace weir::aquifer
