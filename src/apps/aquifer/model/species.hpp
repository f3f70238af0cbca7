#pragma once

#include <array>
#include <optional>
#include <string>

#include "apps/common/grid.hpp"

namespace weir::aquifer {

/// A dissolved species. Each one of a list decays to the next. Concentrations are in mol per litre of water (M).
struct Species {
    std::string name;
    double retardation = 1;   ///< mass dissolved and sorbed, by what is dissolved
    double decay = 0;         ///< 1/s
    double diffusion = 0;     ///< molecular, in water, m^2/s
    double dispersivity = 0;  ///< longitudinal, m
    /// At each side: in water that enters, and at the side itself; none: what enters has none, and nothing diffuses.
    std::array<std::optional<double>, 2 * axes> at_sides{};
};

}  // namespace weir::aquifer
